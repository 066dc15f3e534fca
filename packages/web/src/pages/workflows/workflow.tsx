import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { api } from '#src/api/client.ts'
import { Crumbs } from '#src/app/crumbs.tsx'
import { DefinitionEditor } from '#src/editor/definition-editor.tsx'
import { m } from '#src/messages/messages.ts'
import {
  ReadOnlyDefinition,
  Starts,
  Versions,
  WorkflowInsights,
  WorkflowPrivacy,
  WorkflowRuns,
  WorkflowSettings,
} from '#src/pages/workflows/tab-parts.ts'
import { WorkflowState } from '#src/pages/workflows/workflow-state.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSession } from '#src/session/session.ts'
import { useMayChange } from '#src/session/use-may-change.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { chainOf } from '#src/values/edited-at.ts'

export function Page() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const workflow = useQuery({
    queryKey: ['workflow', id],
    queryFn: () => api.workflows.get({ params: { id } }),
    refetchOnWindowFocus: false,
  })
  return (
    <Loaded query={workflow}>
      {(data) => {
        const chain = chainOf(data.definition)
        // What a chain is compiled to cannot be saved.
        return chain === undefined ? <Workflow key={id} workflow={data} /> : <Navigate to={chain} replace />
      }}
    </Loaded>
  )
}

type WorkflowDetail = Reply<(typeof groups)['workflows']['get']>

function Workflow({ workflow }: { readonly workflow: WorkflowDetail }) {
  const { id } = workflow
  const { name, state, hasUnpublishedChanges } = workflow
  const readsPrivacy = useSession(({ me }) => me?.scopes.includes('privacy:read') === true)
  const mayChange = useMayChange()
  const { tab: asked = '' }: { tab?: string } = useSearch({ strict: false })
  const tabs = [
    ['definition', m.editor.definition],
    ['starts', m.starts.title],
    ['runs', m.editor.runs],
    ...(readsPrivacy ? [['privacy', m.privacy.nav] as const] : []),
    ['insights', m.workflowInsights.title],
    ['versions', m.versions.title],
    ['settings', m.editor.settings],
  ] as const
  const tab = tabs.some(([one]) => one === asked) ? asked : 'definition'
  const navigate = useNavigate()
  const setTab = (key: string) => void navigate({ to: '.', search: key === 'definition' ? {} : { tab: key } })
  return (
    <div className="work-page">
      <Crumbs title={name}>
        <Link to="/workflows">{m.nav.workflows}</Link> <span className="i3">/</span> <b>{name}</b>{' '}
        <WorkflowState state={state} changed={hasUnpublishedChanges} />
      </Crumbs>
      <h1 className="vh">{name}</h1>
      <Tabs label={name} tabs={tabs} value={tab} onChange={setTab} />
      {tab === 'definition' && mayChange && <DefinitionEditor key={id} workflow={workflow} />}
      <Suspense fallback={<Skeleton />}>
        {tab === 'definition' && !mayChange && <ReadOnlyDefinition workflow={workflow} />}
        {tab === 'starts' && <Starts workflow={id} />}
        {tab === 'runs' && <WorkflowRuns id={id} />}
        {tab === 'privacy' && <WorkflowPrivacy id={id} />}
        {tab === 'insights' && <WorkflowInsights id={id} />}
        {tab === 'versions' && <Versions workflow={workflow} onRestored={() => setTab('definition')} />}
        {tab === 'settings' && <WorkflowSettings workflow={workflow} />}
      </Suspense>
    </div>
  )
}
