/**
 * What the parts of the page get: the state, a way to change it, and answers of the server that are there or on the way.
 *
 * A part asks for what it shows each time it is drawn. What is not there yet is fetched, and the page drawn again when it
 * comes; what was asked for before and is not any more is called off.
 *
 * @typedef {import("./state.js").State} State
 * @typedef {{data?: any, error?: string, waiting: boolean, progress?: Record<string, number>}} Reply
 *
 * @typedef {object} Context
 * @property {State} state
 * @property {(change: Partial<State>, quietly?: boolean) => void} go  change the state; quietly: no new step in history
 * @property {(path: string, body: object) => Reply} get
 */

import { ApiError, ask } from "./api.js";
import { number, t } from "./i18n.js";

export class Answers {
  /** @param {() => void} changed called when an answer has come */
  constructor(changed) {
    this.changed = changed;
    /** @type {Map<string, Reply & {stop: AbortController, used: boolean}>} */
    this.replies = new Map();
  }

  /** Before a drawing: nothing is asked for yet. */
  begin() {
    for (const reply of this.replies.values()) reply.used = false;
  }

  /** After a drawing: call off what nobody asked for, forget its answer (the browser's own memory is in api.js). */
  end() {
    for (const [key, reply] of this.replies) {
      if (reply.used) continue;
      reply.stop.abort();
      this.replies.delete(key);
    }
  }

  /** @param {string} path @param {object} body @returns {Reply} */
  get(path, body) {
    const key = `${path} ${JSON.stringify(body)}`;
    const there = this.replies.get(key);
    if (there) {
      there.used = true;
      return there;
    }
    const stop = new AbortController();
    /** @type {Reply & {stop: AbortController, used: boolean}} */
    const reply = { waiting: true, stop, used: true };
    this.replies.set(key, reply);
    const progress = (/** @type {Record<string, number>} */ seen) => {
      reply.progress = seen;
      if (!stop.signal.aborted) this.changed();
    };
    ask(path, body, stop.signal, progress)
      .then((data) => Object.assign(reply, { data, waiting: false }))
      .catch((error) => Object.assign(reply, { error: errorText(error), waiting: false }))
      .finally(() => stop.signal.aborted || this.changed());
    return reply;
  }

  /** @param {string} path @param {object} body forget an answer, so that it is asked for again */
  forget(path, body) {
    this.replies.delete(`${path} ${JSON.stringify(body)}`);
  }
}

/** @param {Reply} reply @param {string} usual @returns {string} how far an answer is */
export function waitingText({ progress }, usual) {
  if (progress?.states) return t("progress.states", { n: number(progress.states) });
  if (progress?.total && !("lower" in progress))
    return t("progress.cards", { done: number(progress.done), total: number(progress.total) });
  if (progress?.total) return t("progress.discards", { done: number(progress.done), total: number(progress.total) });
  return usual;
}

/** @param {unknown} error @returns {string} one line for people */
export function errorText(error) {
  if (error instanceof ApiError) return error.status === 0 ? t("error.offline") : error.message;
  return error instanceof Error ? error.message : String(error);
}
