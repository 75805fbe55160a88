//! Properties of the scorers on made-up answers.
