import { team } from '#src/messages/ar/team.ts'

/** Texts about people, trust, the account and money. */
export const trust = { ...team }
