/**
 * Questions to the server. Answers to what can't change are kept; a question nobody waits for any more is called off,
 * and the server stops working on it.
 */

export class ApiError extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** @type {Map<string, any>} */
const kept = new Map();
const MOST_KEPT = 400;

/**
 * @param {string} path under /api
 * @param {object | null} body null asks with GET
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function ask(path, body, signal) {
  const key = `${path} ${JSON.stringify(body)}`;
  const keep = body !== null && !path.startsWith("game");
  if (keep && kept.has(key)) return kept.get(key);
  const headers = { "content-type": "application/json" };
  const init = body === null ? { signal } : { method: "POST", headers, body: JSON.stringify(body), signal };
  let response;
  try {
    response = await fetch(`/api/${path}`, init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, "");
  }
  const answer = await response.json().catch(() => ({ error: response.statusText }));
  if (!response.ok) throw new ApiError(response.status, answer.error ?? response.statusText);
  if (keep) {
    if (kept.size >= MOST_KEPT) kept.delete(/** @type {string} */ (kept.keys().next().value));
    kept.set(key, answer);
  }
  return answer;
}
