//! Values of scikit-learn 1.9.1 (`cohen_kappa_score`, `labels=[1,2,3,4]`), statsmodels 0.15.0 (`fleiss_kappa` of `aggregate_raters`) and krippendorff
//! (`alpha`, `value_domain=[1,2,3,4]`) on the same tables.

use fangwei::agree::{Agreement, Mark, Marks, Measure, Options, Undefined, agree};

use super::{near, table};

const A: &str = "12443114234122431442";
const B: &str = "11433214244132421431";
const C: &str = "22442113234124431442";

fn of(rows: &[&str]) -> Agreement {
    agree(&table(rows), &Options { resampling: None, ..Options::default() }).expect("a table")
}

fn expect(agreement: &Agreement, expected: &[(Measure, f64)]) {
    for (measure, value) in expected {
        let found = agreement.get(*measure).value;
        assert!(found.is_ok_and(|found| near(found, *value)), "{}: {found:?}, expected {value}", measure.as_str());
    }
}

#[test]
fn cohen() {
    let pairs = [
        ([A, B], [0.6, 0.459_459_459_459_459_54, 0.701_492_537_313_432_9, 0.862_068_965_517_241_3]),
        ([A, C], [0.8, 0.726_027_397_260_274, 0.808_429_118_773_946_3, 0.873_646_209_386_281_6]),
        ([B, C], [0.4, 0.194_630_872_483_221_42, 0.507_575_757_575_757_6, 0.732_142_857_142_857_2]),
    ];
    let measures = [Measure::Agreement, Measure::Cohen, Measure::Linear, Measure::Quadratic];
    for (rows, values) in pairs {
        expect(&of(&rows), &measures.into_iter().zip(values).collect::<Vec<_>>());
    }
    // The mean of the three.
    let mean = (0.459_459_459_459_459_54 + 0.726_027_397_260_274 + 0.194_630_872_483_221_42) / 3.0;
    expect(&of(&[A, B, C]), &[(Measure::Cohen, mean), (Measure::Agreement, 0.6)]);
}

#[test]
fn fleiss_and_alpha() {
    expect(
        &of(&[A, B, C]),
        &[
            (Measure::Fleiss, 0.456_603_773_584_905_6),
            (Measure::AlphaNominal, 0.465_660_377_358_490_64),
            (Measure::AlphaOrdinal, 0.821_747_815_230_961_3),
            (Measure::AlphaInterval, 0.825_615_763_546_798),
        ],
    );
}

#[test]
fn alpha_with_missing_marks() {
    let missing = of(&["124.311.23412243144.", ".143321.2441.242143.", "22442.1323412443144."]);
    expect(
        &missing,
        &[
            (Measure::AlphaNominal, 0.519_083_969_465_648_8),
            (Measure::AlphaOrdinal, 0.828_455_512_321_660_1),
            (Measure::AlphaInterval, 0.832),
        ],
    );
    assert_eq!(missing.get(Measure::Fleiss).value, Err(Undefined::Uneven));
    // The example of Krippendorff's article in the encyclopedia: 0.691 nominal, 0.811 interval; three observers, items seen by one left out.
    let known = of(&[".....34121133.3", "1.213343.......", "..21344.21133.4"]);
    expect(
        &known,
        &[
            (Measure::AlphaNominal, 0.691_358_024_691_358),
            (Measure::AlphaOrdinal, 0.806_721_419_941_315_3),
            (Measure::AlphaInterval, 0.810_844_892_812_105_9),
        ],
    );
}

#[test]
fn fleiss_of_ten_items_and_fourteen_raters() {
    // The worked example that statisticians quote: 0.210.
    let counts = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ];
    let mut marks = Vec::new();
    for (item, counts) in counts.iter().enumerate() {
        let labels = counts.iter().enumerate().flat_map(|(label, count)| std::iter::repeat_n(label, *count));
        marks.extend(labels.enumerate().map(|(annotator, label)| Mark {
            item: item.to_string().into(),
            annotator: annotator.to_string().into(),
            label: Some(label.to_string().into()),
            origin: None,
        }));
    }
    let marks = Marks::new(marks, &[]).expect("five labels");
    assert!(Measure::Fleiss.of(&marks).is_ok_and(|fleiss| near(fleiss, 0.209_930_704_421_955_22)));
}

#[test]
fn what_is_undefined_says_why() {
    let reasons = |rows: &[&str], measure: Measure| of(rows).get(measure).value;
    // One label: chance alone gives full agreement, and 0/0 is no kappa. The raw share stands.
    for measure in [Measure::Cohen, Measure::Fleiss, Measure::AlphaNominal, Measure::AlphaOrdinal] {
        assert_eq!(reasons(&["11111", "11111"], measure), Err(Undefined::OneLabel));
    }
    assert_eq!(reasons(&["11111", "11111"], Measure::Agreement), Ok(1.0));
    // Two constants that differ: no agreement, and none by chance.
    assert_eq!(reasons(&["11111", "22222"], Measure::Cohen), Ok(0.0));
    for measure in Measure::ALL {
        assert_eq!(reasons(&["12121"], measure), Err(Undefined::OneAnnotator));
    }
    assert_eq!(reasons(&["12121.....", ".....12121"], Measure::Cohen), Err(Undefined::NoOverlap));
    assert_eq!(reasons(&["12121.....", ".....12121"], Measure::AlphaNominal), Err(Undefined::NoOverlap));
    assert_eq!(reasons(&["1212", "1221"], Measure::Cohen), Err(Undefined::FewShared));
    assert_eq!(reasons(&["abbab", "aabbb"], Measure::Quadratic), Err(Undefined::NoOrder));
    assert_eq!(reasons(&["abbab", "aabbb"], Measure::AlphaOrdinal), Err(Undefined::NoOrder));
    assert_eq!(reasons(&["12121", "12211"], Measure::Sides), Err(Undefined::NoOrder));
    let nothing = Marks::new([], &[]).expect("no label");
    assert!(agree(&nothing, &Options::default()).is_ok_and(|agreement| agreement.items == 0));
}

#[test]
fn intervals_hold_the_value_and_do_not_depend_on_threads() {
    let marks = table(&[A, B, C]);
    let options =
        Options { resampling: Some(fangwei::stats::Resampling { resamples: 500, ..Default::default() }), ..Options::default() };
    let agreement = agree(&marks, &options).expect("a table");
    for (measure, outcome) in agreement.measures.iter().filter(|(_, outcome)| outcome.value.is_ok()) {
        let (value, interval) = (outcome.get().expect("a value"), outcome.interval.expect("an interval"));
        assert!(interval.low < value && value < interval.high, "{}", measure.as_str());
    }
    let one = rayon_free(|| agree(&marks, &options).expect("a table"));
    assert_eq!(agreement, one);
}

/// Runs on one thread.
fn rayon_free<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool").install(run)
}
