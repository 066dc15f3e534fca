import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { Rows } from '#src/patterns/list-page.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Button } from '#src/ui/button.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { CopyButton } from '#src/ui/id.tsx'
import { Time } from '#src/ui/time.tsx'
import { money, number } from '#src/values/format.ts'

const linkOf = (code: string) => `${location.origin}/r/${code}`

/** The referral codes of the account, who came by them, and what they earned. */
export function Page() {
  const r = m.referrals
  const queries = useQueryClient()
  const { open, sheet } = useSheet()
  const query = useQuery({ queryKey: ['referrals'], queryFn: () => api.referrals.me() })
  const changed = (close: () => void) => () => queries.invalidateQueries({ queryKey: ['referrals'] }).then(close)
  const create = (
    <Button look="primary" icon="plus" onClick={() => open(r.create, (close) => <CodeForm done={changed(close)} />)}>
      {r.create}
    </Button>
  )
  return (
    <Shell title={r.title} lede={r.lede} actions={create}>
      <Loaded query={query}>
        {({ codes, signUps, rewarded, pending, referredBy, credits }) => (
          <>
            <dl className="panel kpis">
              {[
                [r.signUps, number(signUps)],
                [r.rewarded, number(rewarded + pending)],
                [r.earned, credits.map(({ amount, currency }) => money(amount, currency)).join(', ') || '–'],
              ].map(([label, value]) => (
                <div key={label} className="kpi">
                  <dt className="t12 i3">{label}</dt>
                  <dd>
                    <b className="num">{value}</b>
                  </dd>
                </div>
              ))}
            </dl>
            <div className="band">
              {codes.length === 0 ? (
                <Empty title={r.emptyTitle} text={r.emptyText} />
              ) : (
                <Rows
                  rows={codes}
                  spec={{
                    title: r.title,
                    id: ({ code }) => code,
                    columns: [
                      {
                        head: r.code,
                        phone: 'main',
                        cell: ({ code }) => (
                          <span className="row">
                            <bdi className="mono b">{code}</bdi>
                            <CopyButton text={linkOf(code)} label={r.copyLink} />
                          </span>
                        ),
                      },
                      { head: r.visits, end: true, phone: 'below', cell: ({ visits }) => <span className="num">{number(visits)}</span> },
                      { head: r.signUps, end: true, phone: 'side', cell: (row) => <span className="num">{number(row.signUps)}</span> },
                      {
                        head: r.since,
                        end: true,
                        phone: 'below-side',
                        cell: ({ createdAt }) => (
                          <span className="i2">
                            <Time at={createdAt} kind="ago" />
                          </span>
                        ),
                      },
                    ],
                  }}
                />
              )}
            </div>
            {referredBy === null ? (
              <p className="t13 after">
                <button type="button" className="link" onClick={() => open(r.claim, (close) => <ClaimForm done={changed(close)} />)}>
                  {r.wasReferred}
                </button>
              </p>
            ) : (
              <p className="t13 i2 after">{r.by(referredBy)}</p>
            )}
          </>
        )}
      </Loaded>
      {sheet}
    </Shell>
  )
}

function CodeForm({ done }: { readonly done: () => Promise<unknown> }) {
  const r = m.referrals
  return (
    <DataForm
      initial={{ code: '' }}
      fields={[{ name: 'code', label: r.code, autoFocus: true, hint: r.codeHint }]}
      send={async ({ code }) => {
        const wanted = code.trim().toUpperCase()
        await api.referrals.create({ body: wanted === '' ? {} : { code: wanted } })
        await done()
      }}
      label={r.create}
    />
  )
}

function ClaimForm({ done }: { readonly done: () => Promise<unknown> }) {
  const r = m.referrals
  return (
    <DataForm
      initial={{ code: '' }}
      before={<p className="i2">{r.claimText}</p>}
      fields={[{ name: 'code', label: r.code, autoFocus: true, required: true }]}
      send={async ({ code }) => {
        await api.referrals.claim({ body: { code: code.trim().toUpperCase() } })
        await done()
      }}
      label={r.claim}
    />
  )
}
