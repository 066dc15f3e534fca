import type { groups, Reply } from '@millrace/contract'
import { words } from '#src/pages/trust/audit-sentence.tsx'
import { type Entry, markFormer, type Names, namesAt } from '#src/pages/trust/sentence-of.ts'
import { m } from '#src/messages/messages.ts'
import { exactTime } from '#src/values/format.ts'

/** An entry with the names to read it by. */
interface NamedEntry {
  readonly entry: Entry
  readonly names: Names
}

/** A page of the audit log for a list; of a search that has not read all of it, with a note of how far it has come. */
export async function loadEntries(reply: Promise<Reply<(typeof groups)['audit']['query']>>) {
  const { data, nextCursor, names: bare, former = [], searchedTo } = await reply
  const names = markFormer(bare, former, m.common.former)
  return {
    data: data.map((entry): NamedEntry => ({ entry, names: namesAt(entry, names, words) })),
    nextCursor,
    names,
    note: searchedTo === null ? undefined : words.searchedTo(exactTime(searchedTo)),
  }
}
