// The table of what is wrong with a file that was sent.

/** @typedef {{line: number | null, qid: string | null, pointer: string, message: string, expected: string, found: string}} Defect */

/**
 * Fills the table, or hides it where there is nothing to tell.
 * @param {HTMLTableElement} table
 * @param {Defect[]} defects
 */
export function show(table, defects) {
  const body = table.tBodies[0] ?? table.createTBody();
  body.replaceChildren();
  for (const defect of defects) {
    const row = body.insertRow();
    for (const value of [defect.line, defect.qid, defect.pointer, defect.message, defect.expected, defect.found]) {
      row.insertCell().textContent = String(value ?? '');
    }
  }
  table.hidden = defects.length === 0;
}
