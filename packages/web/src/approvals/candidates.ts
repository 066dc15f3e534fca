interface Person {
  readonly id: string
  readonly email: string
}

interface Asked {
  readonly answers: readonly { readonly user?: string | undefined }[]
}

/**
 * The people who can be asked in place of an approver: none who has decided already, and not the person who asks, who would decide what others are to decide.
 * @param from the approver; empty for all who cannot decide any more, whose place everyone may take.
 */
export function candidates<P extends Person>(people: readonly P[], { answers }: Asked, from: string, me: string | undefined): readonly P[] {
  const decided = new Set(answers.map(({ user }) => user))
  return people.filter(({ id, email }) => !decided.has(id) && (from === '' || ![me, from].includes(id)) && email !== from)
}
