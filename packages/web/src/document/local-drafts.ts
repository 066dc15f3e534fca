import { openDB } from 'idb'

/** A text as it was typed on this device, with the revision that it is based on. */
export interface LocalDraft {
  readonly workflow: string
  readonly text: string
  /** The text and the revision of the server that it began with. */
  readonly base: string
  readonly revision: number
}

/** Where texts are kept before they are sent. */
export interface LocalDrafts {
  readonly get: (workflow: string) => Promise<LocalDraft | undefined>
  readonly put: (draft: LocalDraft) => Promise<void>
  /** Removes a text that the server has; one that another tab wrote since stays. */
  readonly remove: (workflow: string, text: string) => Promise<void>
}

const name = 'drafts'

/** Opens the database of this browser. */
export async function openLocalDrafts(): Promise<LocalDrafts> {
  const db = await openDB('millrace', 1, { upgrade: (opened) => void opened.createObjectStore(name, { keyPath: 'workflow' }) })
  return {
    get: async (workflow) => {
      const found: LocalDraft | undefined = await db.get(name, workflow)
      return found
    },
    async put(draft) {
      const transaction = db.transaction(name, 'readwrite', { durability: 'relaxed' })
      const written = transaction.store.put(draft)
      // Does not wait for the result of the request, so that a page that closes now has written.
      transaction.commit()
      await Promise.all([written, transaction.done])
    },
    async remove(workflow, text) {
      const transaction = db.transaction(name, 'readwrite')
      const found: LocalDraft | undefined = await transaction.store.get(workflow)
      if (found?.text === text) await transaction.store.delete(workflow)
      await transaction.done
    },
  }
}
