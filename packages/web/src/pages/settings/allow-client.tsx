import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { Crumbs } from '#src/app/crumbs.tsx'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** The question whether an MCP client may act for the person: the authorization endpoint of OAuth. */
export function Page() {
  const [search] = useState(() => new URLSearchParams(globalThis.location.search))
  const request = requestOf(search)
  const asked = useQuery({ queryKey: ['oauth', search.toString()], queryFn: () => api.oauth.request({ query: request }), retry: false })
  if (asked.isError)
    return (
      <div className="page">
        {request.client_id === '' || request.redirect_uri === '' || request.code_challenge === '' ? (
          <Empty title={m.oauth.incomplete} text={m.oauth.incompleteText} />
        ) : (
          <ProblemPanel error={asked.error} />
        )}
      </div>
    )
  if (asked.data === undefined) return <Skeleton rows={4} />
  return <Question request={request} {...asked.data} />
}

type Request = Omit<NonNullable<Parameters<typeof api.oauth.decide>[0]>['body'], 'allow'>

interface QuestionProps {
  readonly request: Request
  readonly client: string
  readonly redirectHost: string
  readonly scopes: readonly string[]
}

function Question({ request, client, redirectHost, scopes }: QuestionProps) {
  const o = m.oauth
  const [busy, setBusy] = useState<'allow' | 'deny'>()
  const [problem, setProblem] = useState<unknown>()
  const decide = async (allow: boolean) => {
    setBusy(allow ? 'allow' : 'deny')
    try {
      const { redirectTo } = await api.oauth.decide({ body: { ...request, allow } })
      globalThis.location.assign(redirectTo)
    } catch (error) {
      setProblem(error)
      setBusy(undefined)
    }
  }
  return (
    <div className="page">
      <Crumbs title={o.heading}>
        <b>{o.heading}</b>
      </Crumbs>
      <section className="panel acard consent">
        <span className="gly run">
          <Icon name="plug" />
        </span>
        <h1>
          <bdi>{o.title(client)}</bdi>
        </h1>
        <p className="i2">{o.text(client, redirectHost)}</p>
        <p className="b">{o.may}</p>
        <ul className="mini-l">
          {scopes.map((scope) => (
            <li key={scope}>
              <span className="row">
                <Icon name="check" />
                {scope === 'executions:run' || scope === 'executions:read' ? o.scopes[scope] : scope}
              </span>
            </li>
          ))}
        </ul>
        <p className="i2">{o.lasts}</p>
        <p className="t13 i2">{o.warning}</p>
        {problem !== undefined && <ProblemPanel error={problem} />}
        <div className="row">
          <Button look="primary" busy={busy === 'allow'} onClick={() => void decide(true)}>
            {o.allow}
          </Button>
          <Button busy={busy === 'deny'} onClick={() => void decide(false)}>
            {o.deny}
          </Button>
        </div>
      </section>
    </div>
  )
}

/** The parameters of the address that the endpoint knows; others are ignored, as OAuth demands. */
function requestOf(search: URLSearchParams): Request {
  const of = (name: string) => search.get(name) ?? ''
  const more = Object.fromEntries(['scope', 'state', 'resource'].flatMap((name) => (search.has(name) ? [[name, of(name)] as const] : [])))
  return {
    response_type: 'code',
    client_id: of('client_id'),
    redirect_uri: of('redirect_uri'),
    code_challenge: of('code_challenge'),
    code_challenge_method: 'S256',
    ...more,
  }
}
