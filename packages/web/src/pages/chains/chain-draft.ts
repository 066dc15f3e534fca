import { type Chain, draftOf, type Member, type MemberDraft, memberOf, newMember } from '#src/pages/chains/member.ts'

/** What an answer to a change has. */
export type SavedChain = Omit<Chain, 'runs'>

export interface ChainContent {
  readonly name: string
  readonly description: string | null
  readonly members: Member[]
}

/** The fields of a chain while a person edits them. */
export interface ChainDraft {
  /** The chain as it was when the edit began; undefined for a new one. */
  readonly base: SavedChain | undefined
  readonly name: string
  readonly description: string
  readonly members: readonly MemberDraft[]
}

/** The fields of a chain; those of a new one have one member, the workflow `first`. */
export function chainDraft(base: SavedChain | undefined, first: string): ChainDraft {
  const members = base?.members.map(draftOf) ?? [newMember('step1', first)]
  return { base, name: base?.name ?? '', description: base?.description ?? '', members }
}

/** What is sent of the fields. */
export function contentOf({ name, description, members }: Omit<ChainDraft, 'base'>): ChainContent {
  return { name, description: description.trim() === '' ? null : description, members: members.map(memberOf) }
}

/** Whether something was typed that is not saved. */
export function isEdited(draft: ChainDraft, first: string): boolean {
  return JSON.stringify(contentOf(draft)) !== JSON.stringify(contentOf(chainDraft(draft.base, first)))
}

/** The fields when the server has another revision: it is taken unless something was typed, which is saved against the revision it began with. */
export function withLatest(draft: ChainDraft, latest: SavedChain, first: string): ChainDraft {
  if (draft.base === undefined || latest.revision <= draft.base.revision || isEdited(draft, first)) return draft
  return chainDraft(latest, first)
}

/** The fields after `sent` was stored as `saved`: what was typed since stays. */
export function withSaved(draft: ChainDraft, sent: ChainDraft, saved: SavedChain, first: string): ChainDraft {
  return draft === sent ? chainDraft(saved, first) : { ...draft, base: saved }
}
