import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { Crumbs } from '#src/app/crumbs.tsx'
import { boot } from '#src/boot.ts'
import { useSession } from '#src/session/session.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

// Only this page reads them: the texts of all pages load with every page.
const { oauth: o } = await (boot.locale === 'ar' ? import('#src/messages/ar/oauth.ts') : import('#src/messages/en/oauth.ts'))

/** The question whether an MCP client may act for the person: the authorization endpoint of OAuth. */
export function Page() {
  const [search] = useState(() => new URLSearchParams(globalThis.location.search))
  const request = requestOf(search)
  const asked = useQuery({ queryKey: ['oauth', search.toString()], queryFn: () => api.oauth.request({ query: request }), retry: false })
  if (asked.isError)
    return (
      <div className="page">
        {request.client_id === '' || request.redirect_uri === '' || request.code_challenge === '' ? (
          <Empty title={o.incomplete} text={o.incompleteText} />
        ) : (
          <ProblemPanel error={asked.error} />
        )}
      </div>
    )
  if (asked.data === undefined) return <Skeleton rows={4} />
  return <Question request={request} {...asked.data} />
}

type Request = Omit<NonNullable<Parameters<typeof api.oauth.decide>[0]>['body'], 'allow'>

type Asked = Awaited<ReturnType<typeof api.oauth.request>>

function Question({ request, client, clientHost, redirectHost, scopes }: Asked & { readonly request: Request }) {
  const [busy, setBusy] = useState<'allow' | 'deny'>()
  const [problem, setProblem] = useState<unknown>()
  const email = useSession(({ me }) => me?.email ?? '')
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/.test(redirectHost)
  const decide = async (allow: boolean) => {
    setBusy(allow ? 'allow' : 'deny')
    setProblem(undefined)
    try {
      const { redirectTo } = await api.oauth.decide({ body: { ...request, allow } })
      globalThis.location.assign(redirectTo)
    } catch (error) {
      setProblem(error)
      setBusy(undefined)
    }
  }
  return (
    <div className="page consent-page">
      <Crumbs title={o.heading}>
        <b>{o.heading}</b>
      </Crumbs>
      <section className="panel acard consent" aria-labelledby="consent-title">
        <Voucher host={clientHost} />
        <h1 id="consent-title">
          <bdi>{o.title(client)}</bdi>
        </h1>
        <p className="i2">{o.text}</p>
        <dl className="facts">
          <Fact name={o.facts.voucher} value={clientHost ?? o.facts.itself} />
          <Fact name={o.facts.returns} value={redirectHost} more={isLocal ? o.facts.thisComputer : undefined} />
          <Fact name={o.facts.actsAs} value={email} />
          <Fact name={o.facts.ends} value={o.facts.endsIn} more={o.facts.unused} />
        </dl>
        <div className="consent-may">
          <Rights title={o.may} icon="check" texts={scopes.map((scope) => (isKnown(scope) ? o.scopes[scope] : scope))} />
          <Rights title={o.mayNot} icon="x" texts={o.never} />
        </div>
        <div className="then">
          <span className="ln" />
          <div>
            <b className="b">{o.ifAllowed}</b> <span className="i2">{o.ifAllowedText}</span>
          </div>
          <div>
            <b className="b">{o.ifDenied}</b> <span className="i2">{o.ifDeniedText}</span>
          </div>
        </div>
        {problem !== undefined && <ProblemPanel error={problem} />}
      </section>
      <p className="t12 i3 fine">
        <Icon name="lock" />
        <span>
          {isLocal ? o.warningLocal : o.warning} <Link to="/settings/api-keys">{o.revoke}</Link>
        </span>
      </p>
      <footer className="afoot">
        <Button size="lg" busy={busy === 'deny'} disabled={busy !== undefined} onClick={() => void decide(false)}>
          {o.deny}
        </Button>
        <Button size="lg" look="primary" busy={busy === 'allow'} disabled={busy !== undefined} onClick={() => void decide(true)}>
          <span className="trunc">{o.allow(client)}</span>
        </Button>
      </footer>
    </div>
  )
}

/** Whether anything but the program itself says who it is. */
function Voucher({ host }: { readonly host: string | null }) {
  return (
    <Badge tone={host === null ? 'wait' : 'seal'}>
      <Icon name={host === null ? 'warn' : 'seal'} />
      <bdi>{host === null ? o.unknown : o.describedBy(host)}</bdi>
    </Badge>
  )
}

function Fact({ name, value, more }: { readonly name: string; readonly value: string; readonly more?: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
        {more !== undefined && <span className="i3"> {more}</span>}
      </dd>
    </div>
  )
}

function Rights({ title, icon, texts }: { readonly title: string; readonly icon: string; readonly texts: readonly string[] }) {
  return (
    <div>
      <h2 className="t13">{title}</h2>
      <ul className={`consent-${icon}`}>
        {texts.map((text) => (
          <li key={text}>
            <Icon name={icon} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const isKnown = (scope: string): scope is keyof typeof o.scopes => Object.hasOwn(o.scopes, scope)

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
