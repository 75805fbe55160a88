// The shapes that the editor and the server exchange. Only types: nothing runs here.

/**
 * @typedef {{zh: string, en: string}} Say  A text in both languages.
 * @typedef {{value: string, label: Say, key?: string | null}} Option
 * @typedef {{name: string, in: string[]}} When  Shown if the choice of that name holds one of these.
 * @typedef {'solid' | 'dashed' | 'dotted' | 'double' | 'wavy'} Shape
 * @typedef {{name: string, label: Say, key?: string | null, kind: 'span' | 'label' | 'text', text?: string | null, many?: boolean,
 *   pieces?: boolean, options?: Option[], group?: string | null, primary?: boolean, colour?: number, shape?: Shape}} Field
 * @typedef {{type: string, label: Say, fields: Field[], least_fields?: number, frame?: Say | null}} RecordType
 * @typedef {{kind: 'choice', name: string, label: Say, required?: boolean, options: Option[], many?: boolean, when?: When | null}} ChoicePart
 * @typedef {{kind: 'records', name: string, label: Say, types: RecordType[], most?: number, when?: When | null}} RecordsPart
 * @typedef {{kind: 'text', name: string, label: Say, lines?: number, required?: boolean,
 *   frame?: Say | null, when?: When | null}} TextPart  A frame is a text to start from, with {slots} to be replaced.
 * @typedef {ChoicePart | RecordsPart | TextPart} Part
 * @typedef {{task: string, mode: string, parts: Part[]}} Form
 */

/**
 * @typedef {{idxes?: number[], text?: string, label?: string, value?: string}} Value  A span has idxes in the order as written, and the name of
 *   its text where there are several; a label has label; what was written has value.
 * @typedef {{id: number, type: string, fields: Record<string, Value[]>}} Row  One record of a sheet.
 * @typedef {{rule: string, at: string, reason: string}} Waiver
 * @typedef {{choices: Record<string, string[]>, texts: Record<string, string>, records: Row[], waivers: Waiver[]}} Sheet
 * @typedef {{rule: string, severity: 'error' | 'warning' | 'hint', message: string, at: string, spans: number[][], text?: string | null,
 *   record: number | null, field: string | null, fix: {say: string, sheet: Sheet} | null, waived: string | null}} Finding
 */

/**
 * @typedef {[number, number, string]} Word  Start, end (code points) and class; an empty class for words that are not spatial.
 * @typedef {{name: string, text: string, label?: Say | null, words: Word[]}} Text
 * @typedef {{id: string, author: string, kind: string, text: string, at: number | string, mine: boolean}} Post
 * @typedef {{round: number, verdict: string, comment: string, pointer: string | null, at: number | string, reviewer: string}} Review
 * @typedef {{assignment: string, state: string, version: number, part: string,
 *   batch: {id: string, name: string, task: string, mode: string, instructions: string},
 *   item: {id: string, qid: string, number: number, of: number}, texts: Text[], form: Form, sheet: Sheet, source: string,
 *   suggestion: {predictor: string, sheet: Sheet} | null, findings: Finding[], thread: Post[], reviews: Review[],
 *   revision?: {inspection: string, annotator: string} | null, next: string | null, previous: string | null, spent_ms: number, time_limit_s: number | null}} Work
 */

/**
 * @typedef {{text: string, anchor: number, head: number, kept: [number, number][]}} Selection  Caret positions stand between characters;
 *   `kept` are pieces put by before the live one, in order.
 * @typedef {{title: string, sheet: Sheet, kind: 'suggestion' | 'theirs'}} Ghost  A sheet of somebody else, drawn dashed until taken over.
 * @typedef {{state: 'saved' | 'dirty' | 'kept' | 'saving' | 'offline' | 'conflict' | 'refused', at: number | null, waiting: number, stored: boolean, message: string}} Saving
 * @typedef {{version: number, sheet: Sheet, author: string, at: number | string}} Theirs  What a conflict answers with.
 */

export {};
