import { boot } from '#src/boot.ts'
import type { Approval } from '#src/approvals/approval.ts'
import { useIsAdmin } from '#src/session/use-is-admin.ts'

// Few approvals have one: the texts of all pages load with every page.
const { escalations: w } = await (boot.locale === 'ar'
  ? import('#src/messages/ar/escalations.ts')
  : import('#src/messages/en/escalations.ts'))

/** Why people cannot approve an open approval, and what to do. */
export function Obstacle({ obstacle }: { readonly obstacle: NonNullable<Approval['obstacle']> }) {
  const reader = useIsAdmin() ? 'admin' : 'other'
  return (
    <p className="notice-strip in-card" role="status">
      <span>
        <b>{w.obstacle[obstacle]}</b> {w.obstacleAdvice[obstacle][reader]}
      </span>
    </p>
  )
}
