import { usePeople } from '#src/patterns/use-people.ts'

/** Names of the people of the account by actor, such as `user:usr_…`; undefined for other actors, and for people who left. */
export function useAuthors(): (actor: string) => string | undefined {
  const people = usePeople()
  return (actor) => people.get(actor)
}
