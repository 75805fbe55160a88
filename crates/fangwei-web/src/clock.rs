//! One clock for all nodes: that of the database. Leases, deadlines, the days of a quota and the order of rows compare times that different machines wrote, and no two
//! machines tell the same time. So a node asks a server for its time, at the start and again and again, and goes by the difference.

use sqlx::AnyConnection;

use crate::app::now;

/// So many milliseconds is the clock of a server ahead of this machine's.
pub async fn ahead(connection: &mut AnyConnection) -> Result<i64, sqlx::Error> {
    let select = "SELECT CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT)";
    let asked = now();
    let told: i64 = sqlx::query_scalar(select).fetch_one(connection).await?;
    Ok(difference(asked, told, now()))
}

/// The difference, of a time that was told between two of ours. Where ours may be right it is: the way there and back is no difference of clocks.
fn difference(asked: i64, told: i64, heard: i64) -> i64 {
    if (asked..=heard).contains(&told) { 0 } else { told - i64::midpoint(asked, heard) }
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn what_the_way_explains_is_no_difference() {
        for told in [1000, 1007, 1020] {
            assert_eq!(difference(1000, told, 1020), 0, "asked at 1000, heard at 1020");
        }
        assert_eq!(difference(1000, 61_010, 1020), 60_000, "a minute behind the server");
        assert_eq!(difference(61_000, 1010, 61_020), -60_000, "a minute ahead of it");
        assert_eq!(difference(1000, 999, 1000), -1);
    }
}
