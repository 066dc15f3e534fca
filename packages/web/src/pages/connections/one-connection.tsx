import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api } from '#src/api/client.ts'
import { Crumbs } from '#src/app/crumbs.tsx'
import { m } from '#src/messages/messages.ts'
import { type Connection, hostOf, needsConsent } from '#src/pages/connections/connection.ts'
import { ConnectionFacts } from '#src/pages/connections/connection-facts.tsx'
import { ConnectionForm } from '#src/pages/connections/connection-form.tsx'
import { ConnectionState } from '#src/pages/connections/connection-state.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { UsedBy } from '#src/patterns/used-by.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Button } from '#src/ui/button.tsx'
import { Menu } from '#src/ui/menu.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'
import { Time } from '#src/ui/time.tsx'

/** One connection: its state, its settings, a test, and the consent of a person where the service needs it. */
export function Page() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const connection = useQuery({ queryKey: ['connections', 'one', id], queryFn: () => api.connections.get({ params: { id } }) })
  return <Loaded query={connection}>{(data) => <One connection={data} />}</Loaded>
}

function One({ connection }: { readonly connection: Connection }) {
  const k = m.connections
  const { id, name, revision } = connection
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { open, confirm, sheet } = useSheet()
  const mayChange = useMay('connections:write')
  const edit = () =>
    open(k.edit, (close) => (
      <ConnectionForm
        connection={connection}
        done={() => {
          toast(m.common.saved)
          return queries.invalidateQueries({ queryKey: ['connections'] }).then(close)
        }}
      />
    ))
  const remove = async () => {
    await api.connections.delete({ params: { id } }, { ifMatch: revision })
    toast(k.removed)
    await navigate({ to: '/connections' })
    await queries.invalidateQueries({ queryKey: ['connections'] })
  }
  return (
    <div className="page wide">
      <Crumbs title={name}>
        <Link to="/connections">{k.title}</Link> <span className="i3">/</span> <b>{name}</b>
      </Crumbs>
      <Head connection={connection}>
        {mayChange && (
          <>
            <Attempts connection={connection} />
            <Menu
              label={`${m.common.actions}: ${name}`}
              items={[
                { label: m.common.edit, icon: 'edit', act: edit },
                {
                  label: m.common.remove,
                  icon: 'x',
                  danger: true,
                  act: () => confirm(k.remove, k.removeText(name), remove, <UsedBy kind="connection" name={name} />),
                },
              ]}
            />
          </>
        )}
      </Head>
      <Outcome connection={connection} />
      <ConnectionFacts connection={connection} />
      {sheet}
    </div>
  )
}

function Head({ connection, children }: { readonly connection: Connection; readonly children: ReactNode }) {
  const { name, kind, state, description } = connection
  return (
    <header className="row wrap pagehead">
      <div>
        <h1 className="row wrap">
          <bdi>{name}</bdi> <ConnectionState state={state} />
        </h1>
        <p className="lede">
          {m.connections.kinds[kind]} · <bdi className="mono">{hostOf(connection)}</bdi>
        </p>
        {description !== '' && <p className="i2">{description}</p>}
      </div>
      <span className="sp" />
      <div className="row wrap">{children}</div>
    </header>
  )
}

/** The buttons that reach the service: a test, and the consent. */
function Attempts({ connection }: { readonly connection: Connection }) {
  const k = m.connections
  const { id, state } = connection
  const queries = useQueryClient()
  const [busy, setBusy] = useState<'test' | 'authorize'>()
  const [problem, setProblem] = useState<unknown>()
  const attempt = (what: 'test' | 'authorize', act: () => Promise<void>) => {
    setBusy(what)
    setProblem(undefined)
    act()
      .catch(setProblem)
      .finally(() => setBusy(undefined))
  }
  const test = async () => {
    const tested = await api.connections.test({ params: { id } })
    queries.setQueryData(['connections', 'one', id], tested)
    toast(tested.state === 'ready' ? k.testPassed : k.testFailed, tested.state === 'ready' ? 'completed' : 'faulted')
    await queries.invalidateQueries({ queryKey: ['connections'] })
  }
  const authorize = async () => location.assign((await api.connections.authorize({ params: { id } })).authorizationUrl)
  const consent = needsConsent(connection)
  return (
    <>
      {consent && (
        <Button
          look={state === 'ready' ? 'plain' : 'primary'}
          icon="ext"
          busy={busy === 'authorize'}
          onClick={() => attempt('authorize', authorize)}
        >
          {state === 'ready' ? k.authorizeAgain : k.authorize}
        </Button>
      )}
      <Button
        look={consent && state !== 'ready' ? 'plain' : 'primary'}
        icon="play"
        busy={busy === 'test'}
        onClick={() => attempt('test', test)}
      >
        {k.test}
      </Button>
      {problem !== undefined && <ProblemPanel error={problem} />}
    </>
  )
}

/** What the last test, or the last use, found. */
function Outcome({ connection }: { readonly connection: Connection }) {
  const k = m.connections
  const { state, problem, testedAt } = connection
  const when = testedAt !== null && (
    <span className="t12 i3">
      {k.tested}: <Time at={testedAt} kind="ago" />
    </span>
  )
  if (state === 'ready')
    return (
      <p className="row wrap connection-outcome c-ok" role="status">
        {k.works} {when}
      </p>
    )
  return (
    <section className="problem connection-outcome" role="status">
      <h2>{state === 'failed' ? k.testFailed : k.needsConsent}</h2>
      {problem !== null && (
        <p className="i2" dir="auto">
          {problem}
        </p>
      )}
      {state === 'unauthorized' && needsConsent(connection) && <p className="i2">{k.needsConsentText}</p>}
      {when}
    </section>
  )
}
