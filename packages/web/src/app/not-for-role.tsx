import { isScope, roles, scopesOfRole } from '@millrace/contract'
import type { NavEntry } from '#src/app/nav-entry.ts'
import { boot } from '#src/boot.ts'
import { notForRole as arabic } from '#src/messages/ar/not-for-role.ts'
import { notForRole as english } from '#src/messages/en/not-for-role.ts'
import { m } from '#src/messages/messages.ts'
import { Page as Shell } from '#src/patterns/page.tsx'
import { useSession } from '#src/session/session.ts'
import { Empty } from '#src/ui/empty.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'

const words = boot.locale === 'ar' ? arabic : english

/** In place of a page that the role of the person does not include: who may open it, and whom to ask. */
export function NotForRole({ entry }: { readonly entry: NavEntry }) {
  const own = useSession(({ me }) => me?.role)
  const text =
    entry.operator === true
      ? words.operators
      : `${words.roles(namesOf(entry))} ${own === undefined ? '' : words.own(m.team.roles[own])} ${words.ask}`
  return (
    <Shell title={entry.label}>
      <Empty title={words.title} text={text} action={<ButtonLink to="/settings/team">{m.team.nav}</ButtonLink>} />
    </Shell>
  )
}

function namesOf({ scopes = [] }: NavEntry): readonly string[] {
  const may = roles.filter((role) => scopes.some((scope) => isScope(scope) && scopesOfRole(role).has(scope)))
  return may.map((role) => m.team.roles[role])
}
