import { useNavigate, useSearch } from '@tanstack/react-router'
import { m } from '#src/messages/messages.ts'
import { Compliance } from '#src/pages/trust/compliance.tsx'
import { Decisions } from '#src/pages/trust/decisions.tsx'
import { Erasures } from '#src/pages/trust/erasures.tsx'
import { MayLeave } from '#src/pages/trust/may-leave.tsx'
import { Persons } from '#src/pages/trust/persons.tsx'
import { Policies } from '#src/pages/trust/policies.tsx'
import { RestoreText } from '#src/pages/trust/restore-text.tsx'
import { TextBench } from '#src/pages/trust/text-bench.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'
import { useIsAdmin } from '#src/session/use-is-admin.ts'
import { Tabs } from '#src/ui/tabs.tsx'

/** Personal data: try the detector, set policies, read decisions, and see what laws ask for. */
export function Page() {
  const p = m.privacy
  const navigate = useNavigate()
  const isAdmin = useIsAdmin()
  const { view = 'check' }: { view?: string } = useSearch({ strict: false })
  return (
    <Shell title={p.title} lede={p.lede} wide>
      {isAdmin && (
        <Tabs
          label={p.title}
          value={view}
          onChange={(next) => void navigate({ to: '.', search: next === 'check' ? {} : { view: next } })}
          tabs={[
            ['check', p.check],
            ['policies', p.policies],
            ['decisions', p.decisions],
            ['leaving', m.leaving.title],
            ['restore', m.leaving.restoreTitle],
            ['person', m.privacy.person],
            ['erasures', m.erasures.title],
            ['laws', p.laws],
          ]}
        />
      )}
      <div className="tab-body">
        {(view === 'check' || !isAdmin) && <TextBench />}
        {view === 'policies' && isAdmin && <Policies />}
        {view === 'decisions' && isAdmin && <Decisions />}
        {view === 'leaving' && isAdmin && <MayLeave />}
        {view === 'restore' && isAdmin && <RestoreText />}
        {view === 'person' && isAdmin && <Persons />}
        {view === 'erasures' && isAdmin && <Erasures />}
        {view === 'laws' && isAdmin && <Compliance />}
      </div>
    </Shell>
  )
}
