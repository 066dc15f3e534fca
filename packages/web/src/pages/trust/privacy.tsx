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
import { useMay } from '#src/session/use-may.ts'
import { Tabs } from '#src/ui/tabs.tsx'

/** Personal data: try the detector, set policies, read decisions, and see what laws ask for. */
export function Page() {
  const p = m.privacy
  const navigate = useNavigate()
  const views = useViews()
  const [[first] = ['']] = views
  const { view: asked = first }: { view?: string } = useSearch({ strict: false })
  const [view, , show] = views.find(([one]) => one === asked) ?? views[0] ?? []
  return (
    <Shell title={p.title} lede={p.lede} wide>
      {view !== undefined && views.length > 1 && (
        <Tabs
          label={p.title}
          value={view}
          onChange={(next) => void navigate({ to: '.', search: next === first ? {} : { view: next } })}
          tabs={views.map(([one, name]) => [one, name] as const)}
        />
      )}
      <div className="tab-body">{show?.()}</div>
    </Shell>
  )
}

/** What the role of the person includes. */
function useViews() {
  const p = m.privacy
  const isAdmin = useIsAdmin()
  const uses = useMay('privacy:use')
  const reads = useMay('privacy:read')
  const all = [
    ['check', p.check, () => <TextBench />, uses],
    ['policies', p.policies, () => <Policies />, reads],
    ['decisions', p.decisions, () => <Decisions />, reads],
    ['leaving', m.leaving.title, () => <MayLeave />, isAdmin],
    ['restore', m.leaving.restoreTitle, () => <RestoreText />, isAdmin],
    ['person', p.person, () => <Persons />, isAdmin],
    ['erasures', m.erasures.title, () => <Erasures />, isAdmin],
    ['laws', p.laws, () => <Compliance />, reads],
  ] as const
  return all.filter(([, , , isOpen]) => isOpen)
}
