/**
 * Building elements, and drawing anew without losing the keyboard's place.
 *
 * @typedef {Node | string | number | null | undefined | false} Child
 */

/**
 * An element with attributes (`class`, `data-…`, `aria-…`; functions are listeners, true and false switch) and children.
 * @template {string} Name
 * @param {Name} name
 * @param {Record<string, unknown>} attributes
 * @param {...(Child | Child[])} children
 * @returns {Name extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Name] : HTMLElement}
 */
export function h(name, attributes, ...children) {
  const element = document.createElement(name);
  set(element, attributes, children);
  return /** @type {any} */ (element);
}

/**
 * The same for SVG.
 * @param {string} name
 * @param {Record<string, unknown>} attributes
 * @param {...(Child | Child[])} children
 */
export function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  set(element, attributes, children);
  return element;
}

/** @param {Element} element @param {Record<string, unknown>} attributes @param {(Child | Child[])[]} children */
function set(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, /** @type {EventListener} */ (value));
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, String(value));
  }
  element.append(
    ...children
      .flat()
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map(String_),
  );
}

/** @param {Child} child */
const String_ = (child) => (child instanceof Node ? child : String(child));

/**
 * Put new children into an element; the focus goes to the element with the same `data-key` as before.
 * @param {Element} host
 * @param {...(Child | Child[])} children
 */
export function draw(host, ...children) {
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  const key = active && host.contains(active) ? active.dataset.key : undefined;
  host.replaceChildren(
    ...children
      .flat()
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map(String_),
  );
  if (key)
    /** @type {HTMLElement | null} */ (host.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`))?.focus();
}

/**
 * What is seen, and in its place what is said: for those who do not see it.
 * @param {Child | Child[]} seen @param {string} said
 */
export const spoken = (seen, said) => [
  h("span", { "aria-hidden": "true" }, seen),
  h("span", { class: "unseen" }, said),
];

/** @param {string} text say it to those who listen to the page */
export function say(text) {
  const region = document.getElementById("said");
  if (region) region.textContent = text;
}

/** @param {string} name @param {string} text @param {string} kind offer a file for download */
export function download(name, text, kind = "text/plain") {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: kind })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
