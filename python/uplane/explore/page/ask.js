// Sends requests to the server: for JSON, for parts line by line, and for files.

import { session } from "./enter.js";

const PAGE = crypto.randomUUID();

export class Refused extends Error {
  constructor(told) {
    super(told.text);
    this.key = told.key;
  }
}

async function post(path, content, signal) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...session() },
    body: JSON.stringify({ ...content, page: PAGE }),
    signal,
  });
  if (answer.ok) return answer;
  const text = await answer.text();
  throw new Refused(answer.headers.get("content-type").startsWith("application/json") ? JSON.parse(text) : { key: "", text });
}

// Calls `take` with each part on arrival.
export async function parts(path, content, take, signal) {
  const answer = await post(path, content, signal);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const part = JSON.parse(line);
      if (part.kind === "error") throw new Refused(part);
      take(part);
    }
  }
}

export async function json(path) {
  const answer = await fetch(path, { headers: session() });
  if (!answer.ok) throw new Refused({ key: "", text: await answer.text() });
  return answer.json();
}

export async function file(path, content) {
  return (await post(path, content)).blob();
}
