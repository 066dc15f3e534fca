import { m } from '#src/messages/messages.ts'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { Empty } from '#src/ui/empty.tsx'

export function NotFound() {
  return (
    <div className="page">
      <Empty title={m.problems.noPage} text={m.problems.noPageText} action={<ButtonLink to="/">{m.nav.home}</ButtonLink>} />
    </div>
  )
}
