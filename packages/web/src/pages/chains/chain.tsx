import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { usePolling } from '#src/app/live-changes.ts'
import { api } from '#src/api/client.ts'
import { Crumbs } from '#src/app/crumbs.tsx'
import { m } from '#src/messages/messages.ts'
import { ChainForm } from '#src/pages/chains/chain-form.tsx'
import { ChainRuns } from '#src/pages/chains/chain-runs.tsx'
import type { Chain } from '#src/pages/chains/member.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Starts } from '#src/starts/starts.tsx'
import { Button } from '#src/ui/button.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { toast } from '#src/ui/toast.tsx'

const StartForm = onDemand(() => import('#src/run-input/start-form.tsx').then((module) => module.StartForm))

const refreshMs = 10_000

/** One chain: its members, its starts and its last runs. */
export function Page() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const refetchInterval = usePolling(refreshMs)
  const chain = useQuery({ queryKey: ['chains', 'one', id], refetchInterval, queryFn: () => api.chains.get({ params: { id } }) })
  return <Loaded query={chain}>{(data) => <OneChain chain={data} />}</Loaded>
}

function OneChain({ chain }: { readonly chain: Chain }) {
  const c = m.chains
  const { id, name } = chain
  const mayChange = useMay('triggers:write')
  const mayRun = useMay('executions:run')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [tab, setTab] = useState('members')
  const { open, confirm, sheet } = useSheet()
  const remove = async () => {
    await api.chains.delete({ params: { id } })
    await queries.invalidateQueries({ queryKey: ['chains'] })
    await navigate({ to: '/chains', ignoreBlocker: true })
  }
  const saved = async () => {
    await queries.invalidateQueries({ queryKey: ['chains'] })
    toast(m.common.saved)
  }
  return (
    <div className="page">
      <Crumbs title={name}>
        <Link to="/chains">{c.title}</Link> <span className="i3">/</span> <b>{name}</b>
      </Crumbs>
      <header className="row wrap pagehead">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <span className="sp" />
        {mayChange && (
          <Button look="danger" onClick={() => confirm(c.remove, c.removeText, remove)}>
            {m.common.remove}
          </Button>
        )}
        {mayRun && (
          <Button look="primary" icon="play" onClick={() => open(c.run, () => <RunChain chain={chain} />)}>
            {c.run}
          </Button>
        )}
      </header>
      <Tabs
        label={name}
        value={tab}
        onChange={setTab}
        tabs={[
          ['members', c.members],
          ['starts', m.starts.title],
          ['runs', m.editor.runs],
        ]}
      />
      <div className="chain-tab">
        {/* What was typed stays while another tab is shown. */}
        <div hidden={tab !== 'members'}>
          <ChainForm
            key={id}
            chain={chain}
            send={(content, base = chain) => api.chains.update({ params: { id }, body: content }, { ifMatch: base.revision })}
            done={saved}
          />
        </div>
        {tab === 'starts' && <Starts workflow={chain.workflowId} />}
        {tab === 'runs' && <ChainRuns runs={chain.runs} />}
      </div>
      {sheet}
    </div>
  )
}

function RunChain({ chain: { id, members } }: { readonly chain: Chain }) {
  const navigate = useNavigate()
  return (
    <StartForm
      workflow={takerOf(members)}
      input={null}
      hint={m.chains.inputHint}
      label={m.chains.run}
      start={async (input) => {
        const { executionId } = await api.chains.run({ params: { id }, body: input === undefined ? {} : { input } })
        await navigate({ to: `/runs/${executionId}` })
      }}
    />
  )
}

/** The workflow that gets the input of a chain as it is: that of the first member without a mapping. */
function takerOf([first]: Chain['members']): string | undefined {
  return first?.mapping === undefined ? first?.workflowId : undefined
}
