import { vi } from 'vitest'

/** A message of the outbox of development. */
export interface OutboxEntry {
  readonly channel: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly links: readonly string[]
}

export async function readOutbox(url: string): Promise<readonly OutboxEntry[]> {
  const { data } = JSON.parse(await (await fetch(`${url}/dev/outbox`)).text())
  return data
}

/** Waits for the newest message to a recipient whose subject or text contains a word. */
export async function messageTo(url: string, recipient: string, word: string): Promise<OutboxEntry> {
  return await vi.waitFor(
    async () => {
      const found = (await readOutbox(url)).find(
        (entry) => entry.recipient === recipient && `${entry.subject} ${entry.text}`.includes(word),
      )
      if (found === undefined) throw new Error(`no message to ${recipient} with ${word} yet`)
      return found
    },
    { interval: 100 },
  )
}

/** Waits for a mail with a link, and returns the token of the link. */
export async function linkTo(url: string, recipient: string, word: string): Promise<string> {
  const { links } = await messageTo(url, recipient, word)
  return new URL(links[0] ?? '').hash.replace('#token=', '')
}
