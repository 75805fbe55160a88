// Drawing: views build plain elements, `morph` carries them over into the page. Focus, carets and compositions in inputs survive,
// because elements that stay the same are kept. Views hold no listeners; they name an action in `data-act` (see main.js).

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element with attributes and children; attributes that are false or missing are left out.
 * @param {string} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  return /** @type {HTMLElement} */ (build(document.createElement(tag), attributes, children));
}

/**
 * The same for SVG.
 * @param {string} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return /** @type {SVGElement} */ (build(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children));
}

/**
 * @param {Element} element
 * @param {Record<string, string | number | boolean | null | undefined>} attributes
 * @param {(Child | Child[])[]} children
 */
function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/**
 * Makes the children of an element be those of a drawing of it.
 * @param {Element} root
 * @param {(Node | null | undefined | false)[]} drawn
 */
export function redraw(root, drawn) {
  const fresh = document.createElement(root.tagName);
  fresh.append(...drawn.filter((node) => node instanceof Node));
  morphChildren(root, fresh);
}

/** @param {Node} node */
const keyOf = (node) => (node instanceof Element ? node.getAttribute('data-key') : null);

/** @param {Node} old @param {Node} fresh */
function alike(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) return false;
  return keyOf(old) === keyOf(fresh);
}

/** @param {Element} root @param {Element} fresh */
function morphChildren(root, fresh) {
  let old = root.firstChild;
  for (const node of [...fresh.childNodes]) {
    let match = old;
    const key = keyOf(node);
    // A keyed element may have moved: look for it among those that follow.
    while (match && key !== null && !alike(match, node)) match = match.nextSibling;
    if (!match || !alike(match, node)) {
      root.insertBefore(node, old);
      continue;
    }
    if (match !== old) root.insertBefore(match, old);
    else old = old?.nextSibling ?? null;
    morph(match, node);
  }
  while (old) {
    const next = old.nextSibling;
    old.remove();
    old = next;
  }
}

/** @param {Node} old @param {Node} fresh */
function morph(old, fresh) {
  if (!(old instanceof Element) || !(fresh instanceof Element)) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  // What an element marked `data-own` holds, and whether a part is unfolded, is the reader's business.
  if (old.hasAttribute('data-own')) return;
  for (const { name } of [...old.attributes]) if (name !== 'open' && name !== 'style' && !fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of [...fresh.attributes]) if (name !== 'open' && old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old instanceof HTMLInputElement && fresh instanceof HTMLInputElement) {
    if (old.checked !== fresh.checked) old.checked = fresh.checked;
    if (old !== document.activeElement && old.value !== fresh.value) old.value = fresh.value;
  }
  if (old instanceof HTMLTextAreaElement && fresh instanceof HTMLTextAreaElement) {
    // What is being typed is ahead of the drawing; touching it would break a composition.
    if (old !== document.activeElement && old.value !== fresh.value) old.value = fresh.value;
    return;
  }
  morphChildren(old, fresh);
  if (old instanceof HTMLSelectElement && fresh instanceof HTMLSelectElement && old.value !== fresh.value) old.value = fresh.value;
}
