import type { QueryClient } from '@tanstack/react-query'

/** Reads everything of the assistant again: conversations, and what was proposed and drafted in them, which pages of their own show as well. */
export function readAgain(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => /^assistant(?:\.|$)/.test(String(first)) })
}
