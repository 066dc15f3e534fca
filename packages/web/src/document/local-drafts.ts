import { openDB } from 'idb'

/** A text as it was typed on this device, with the revision that it is based on. */
export interface LocalDraft {
  readonly workflow: string
  readonly text: string
  /** The text and the revision of the server that it began with. */
  readonly base: string
  readonly revision: number
}

/** A draft that was found on the device, with the tab in which it was typed. */
export interface FoundDraft extends LocalDraft {
  readonly tab: string
}

/** Where texts are kept before they are sent: each tab keeps its own, so that no tab writes over what was typed in another one. */
export interface LocalDrafts {
  /** The draft of this tab, then those of other tabs, the latest first. */
  readonly found: (workflow: string) => Promise<readonly FoundDraft[]>
  readonly put: (draft: LocalDraft) => Promise<void>
  /** Removes the draft of this tab if the server has its text. */
  readonly remove: (workflow: string, text: string) => Promise<void>
  /** Removes the draft of another tab, when its text is in the draft of this one. A tab that is open writes it again with its next change. */
  readonly forget: (draft: FoundDraft) => Promise<void>
}

/** A draft in the store. Its key begins with the workflow; that of the first version of this store had no tab. */
interface Kept extends LocalDraft {
  readonly tab?: string
  readonly at?: number
}

const name = 'drafts'
const keyOf = (workflow: string, tab: string) => (tab === '' ? workflow : `${workflow} ${tab}`)

/** Opens the database of this browser. */
export async function openLocalDrafts(tab: string): Promise<LocalDrafts> {
  const db = await openDB('millrace', 1, { upgrade: (opened) => void opened.createObjectStore(name, { keyPath: 'workflow' }) })
  async function removeIf(key: string, text: string): Promise<void> {
    const transaction = db.transaction(name, 'readwrite')
    const found: Kept | undefined = await transaction.store.get(key)
    if (found?.text === text) await transaction.store.delete(key)
    await transaction.done
  }
  return {
    async found(workflow) {
      const kept: readonly Kept[] = await db.getAll(name, IDBKeyRange.bound(workflow, `${workflow} \uFFFF`))
      const drafts = kept.toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0)).map(foundOf(workflow))
      return [...drafts.filter((draft) => draft.tab === tab), ...drafts.filter((draft) => draft.tab !== tab)]
    },
    async put(draft) {
      const kept: Kept = { ...draft, workflow: keyOf(draft.workflow, tab), tab, at: Date.now() }
      const transaction = db.transaction(name, 'readwrite', { durability: 'relaxed' })
      const written = transaction.store.put(kept)
      // Does not wait for the result of the request, so that a page that closes now has written.
      transaction.commit()
      await Promise.all([written, transaction.done])
    },
    remove: (workflow, text) => removeIf(keyOf(workflow, tab), text),
    forget: (draft) => removeIf(keyOf(draft.workflow, draft.tab), draft.text),
  }
}

function foundOf(workflow: string): (kept: Kept) => FoundDraft {
  return ({ text, base, revision, tab = '' }) => ({ workflow, text, base, revision, tab })
}
