import { createStore, type StoreApi } from 'zustand/vanilla'
import type { FoundDraft, LocalDraft, LocalDrafts } from '#src/document/local-drafts.ts'

/** A text of the server with its revision. */
export interface ServerText {
  readonly text: string
  readonly revision: number
  /** The last change, where it is known. */
  readonly changed?: { readonly by: string; readonly at: string }
}

/** How far a text is kept. `local`: on this device alone, the server did not take it yet. */
export type Saving =
  | { readonly kind: 'saved' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'local'; readonly error: unknown }
  /**
   * The server has another text than the one that this one began with, or another one was typed in another tab of this device; nothing is sent
   * until a person decides. `base` is the text that both came of, where it is known.
   */
  | { readonly kind: 'conflict'; readonly theirs: ServerText; readonly from: 'server' | 'tab'; readonly base?: string }

export interface DraftPorts {
  readonly drafts: Omit<LocalDrafts, 'found'>
  readonly send: (text: string, revision: number) => Promise<number>
  readonly read: () => Promise<ServerText>
  /** Whether an error says that the server has another revision. */
  readonly isConflict: (error: unknown) => boolean
  readonly later: (act: () => void, ms: number) => () => void
}

/** Keeps the text of a workflow: on the device at once, on the server when it rests. */
export interface DraftSaver {
  readonly saving: StoreApi<{ readonly at: Saving }>
  readonly changed: (text: string) => void
  /** Sends the text now. Rejects when it is not taken, or when there is a conflict. */
  readonly flush: () => Promise<void>
  /** Sends nothing until this request about the text of the server has ended, so that none of the two sees a revision that the other one replaced. */
  readonly after: (request: Promise<unknown>) => void
  /** Decides a conflict: this text continues from theirs. */
  readonly resolve: (text: string) => void
  /** The server has this text, by another way. */
  readonly adopt: (server: ServerText) => void
  readonly revision: () => number
  readonly stop: () => void
}

const restMs = 1500
const retryMs = 10_000

/** What to begin with: the text of the device if it was not sent, otherwise that of the server. */
export function beginWith(local: LocalDraft | undefined, server: ServerText): { readonly text: string; readonly conflict: boolean } {
  // A change that was undone before it was sent says nothing against the text of the server.
  if (local === undefined || isUnchanged(local) || local.text === server.text) return { text: server.text, conflict: false }
  return { text: local.text, conflict: local.revision !== server.revision && local.base !== server.text }
}

/** Whether a draft has the text that it began with. */
export function isUnchanged({ text, base }: Pick<LocalDraft, 'text' | 'base'>): boolean {
  return text === base
}

/** Creates the saver of a workflow for a text that may differ from that of the server already. A person decides on each text of the other tabs. */
export function createDraftSaver(
  workflow: string,
  server: ServerText,
  text: string,
  ports: DraftPorts,
  others: readonly FoundDraft[] = [],
): DraftSaver {
  const saving = createStore<{ readonly at: Saving }>(() => ({ at: { kind: 'saved' } }))
  let base = server
  let current = text
  let waiting = others
  let cancel: (() => void) | undefined
  let sending = Promise.resolve()

  const show = (at: Saving) => saving.setState({ at })
  const isDirty = () => current !== base.text
  const atConflict = () => saving.getState().at.kind === 'conflict'
  const keep = () => ports.drafts.put({ workflow, text: current, base: base.text, revision: base.revision }).catch(() => undefined)

  function schedule(ms: number): void {
    cancel?.()
    cancel = ports.later(() => void flush().catch(() => undefined), ms)
  }

  async function send(): Promise<void> {
    const sent = current
    show({ kind: 'saving' })
    try {
      base = { text: sent, revision: await sendOver(sent) }
    } catch (error) {
      if (!atConflict()) show({ kind: 'local', error })
      if (!atConflict()) schedule(retryMs)
      throw error
    }
    if (isDirty()) {
      await keep()
      show({ kind: 'waiting' })
      schedule(restMs)
      return
    }
    show({ kind: 'saved' })
    await ports.drafts.remove(workflow, sent).catch(() => undefined)
    // A change that came during the removal is on the device again.
    if (isDirty()) await keep()
  }

  /** A revision that changed without the text, such as by new settings, is no conflict. */
  async function sendOver(sent: string): Promise<number> {
    try {
      return await ports.send(sent, base.revision)
    } catch (error) {
      if (!ports.isConflict(error)) throw error
      const theirs = await ports.read()
      if (theirs.text === sent) return theirs.revision
      if (theirs.text === base.text) return await ports.send(sent, theirs.revision)
      show({ kind: 'conflict', theirs, from: 'server', base: base.text })
      throw error
    }
  }

  /** One text is sent at a time. */
  async function flush(): Promise<void> {
    cancel?.()
    const next = sending.then(async () => {
      if (atConflict()) throw new Error('conflict')
      if (isDirty()) await send()
    })
    sending = next.catch(() => undefined)
    await next
  }

  /** Shows the next text of another tab, or what becomes of this one. */
  function proceed(ms: number): void {
    const [other] = waiting
    if (other !== undefined) {
      show({ kind: 'conflict', theirs: { text: other.text, revision: base.revision }, from: 'tab' })
      return
    }
    show({ kind: isDirty() ? 'waiting' : 'saved' })
    if (isDirty()) schedule(ms)
  }

  /** The text that a person made of both is on the device before the other one is removed. */
  async function decided(other: FoundDraft | undefined): Promise<void> {
    await keep()
    if (other !== undefined) await ports.drafts.forget(other).catch(() => undefined)
  }

  proceed(restMs)
  return {
    saving,
    changed(next) {
      if (next === current) return
      current = next
      void keep()
      if (atConflict()) return
      if (saving.getState().at.kind !== 'saving') show({ kind: isDirty() ? 'waiting' : 'saved' })
      schedule(restMs)
    },
    flush,
    after(request) {
      sending = Promise.allSettled([sending, request]).then(() => undefined)
    },
    resolve(next) {
      const { at } = saving.getState()
      if (at.kind !== 'conflict') return
      current = next
      if (at.from === 'server') {
        base = at.theirs
        void keep()
      } else {
        const [other, ...rest] = waiting
        waiting = rest
        void decided(other)
      }
      proceed(0)
    },
    adopt(next) {
      base = next
      if (isDirty()) return
      show({ kind: 'saved' })
      void ports.drafts.remove(workflow, next.text).catch(() => undefined)
    },
    revision: () => base.revision,
    stop: () => cancel?.(),
  }
}
