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

const LINES = "application/x-ndjson";

/**
 * @param {Response} response lines of progress, then the result or what is wrong
 * @param {((progress: Record<string, number>) => void) | undefined} progress
 */
async function lastLine(response, progress) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const told = JSON.parse(line);
      if (told.progress) progress?.(told.progress);
      else if (told.result) return told.result;
      else throw new ApiError(told.status, told.error);
    }
    if (done) throw new ApiError(0, "");
  }
}

/** @type {Map<string, any>} */
const kept = new Map();
const MOST_KEPT = 400;

/**
 * @param {string} path under /api
 * @param {object | null} body null asks with GET
 * @param {AbortSignal} [signal]
 * @param {(progress: Record<string, number>) => void} [progress]  called while a long answer is on its way
 * @returns {Promise<any>}
 */
export async function ask(path, body, signal, progress) {
  const key = `${path} ${JSON.stringify(body)}`;
  const keep = body !== null && !path.startsWith("game");
  if (keep && kept.has(key)) return kept.get(key);
  const headers = {
    "content-type": "application/json",
    accept: progress ? `${LINES}, application/json` : "application/json",
  };
  const init = body === null ? { signal } : { method: "POST", headers, body: JSON.stringify(body), signal };
  let response;
  try {
    response = await fetch(`/api/${path}`, init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, "");
  }
  const isLines = response.headers.get("content-type")?.startsWith(LINES);
  const answer = isLines
    ? await lastLine(response, progress)
    : await response.json().catch((error) => {
        // Called off, or cut off, in the middle of a good answer: that is none, and is not to be kept.
        if (response.ok) throw signal?.aborted ? error : new ApiError(0, "");
        return { error: response.statusText };
      });
  if (!response.ok) throw new ApiError(response.status, answer.error ?? response.statusText);
  if (keep) {
    if (kept.size >= MOST_KEPT) kept.delete(/** @type {string} */ (kept.keys().next().value));
    kept.set(key, answer);
  }
  return answer;
}
