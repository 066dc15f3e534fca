import type { Syntax } from '#src/document/apply-edits.ts'
import type { DocumentComputer, Edited } from '#src/document/document-computer.ts'
import { createUnpacker, type SentReading } from '#src/document/sent-reading.ts'
import { startWorker } from '#src/workers/start-worker.ts'

type SentEdited =
  | Extract<Edited, { fault: unknown }>
  | (Omit<Extract<Edited, { text: string }>, 'reading'> & { readonly reading: SentReading })

/** A computer in a worker of its own; in this thread when the worker ends. */
export function workerComputer(syntax: Syntax): DocumentComputer {
  const { call, stop } = startWorker('document')
  const unpack = createUnpacker()
  let local: Promise<DocumentComputer> | undefined
  const here = () => (local ??= import('#src/document/document-computer.ts').then(({ localComputer }) => localComputer(syntax)))
  call('open', syntax).catch(() => undefined)
  return {
    async read(text) {
      const sent = await call<SentReading>('read', text).catch(() => undefined)
      return sent === undefined ? (await here()).read(text) : unpack(sent)
    },
    async edit(text, edits) {
      const edited = await call<SentEdited>('edit', { text, syntax, edits }).catch(() => undefined)
      if (edited === undefined) return (await here()).edit(text, edits)
      return 'fault' in edited ? edited : { ...edited, reading: unpack(edited.reading) }
    },
    stop,
  }
}
