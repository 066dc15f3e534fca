import { useRouterState } from '@tanstack/react-router'
import { isAt, sectionsFor } from '#src/app/nav.ts'
import { pagesOf } from '#src/app/nav-entry.ts'
import { m } from '#src/messages/messages.ts'
import { Page as Shell } from '#src/patterns/page.tsx'
import { useSession } from '#src/session/session.ts'
import { ButtonLink } from '#src/ui/button-link.tsx'

/** Stands at every address of the frame that has no page. */
export function Page() {
  return <NotThere title={m.problems.noPage} text={m.problems.noPageText} />
}

/** Says that nothing is at an address, with the way to the list that it belongs to. */
export function NotThere({
  title = m.problems.notThere,
  text = m.problems.notThereText,
}: {
  readonly title?: string
  readonly text?: string
}) {
  const now = useRouterState({ select: ({ location }) => location.pathname })
  const me = useSession((session) => session.me)
  const pages = sectionsFor(me).flatMap(({ entries }) => entries.flatMap(pagesOf))
  const { path, label } = pages.find((page) => page.path !== now && page.path !== '/' && isAt(page, now)) ?? {
    path: '/',
    label: m.nav.home,
  }
  return (
    <Shell title={title} lede={text}>
      <p>
        <ButtonLink to={path} look="primary">
          {label}
        </ButtonLink>
      </p>
    </Shell>
  )
}
