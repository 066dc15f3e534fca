import type { groups, Reply } from '@millrace/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { Rows } from '#src/patterns/list-page.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { CopyButton } from '#src/ui/id.tsx'
import { Menu } from '#src/ui/menu.tsx'

type Domain = Reply<(typeof groups)['accountDomains']['list']>['data'][number]

/** The domains of the account, each with the record that proves its control. */
export function Domains() {
  const s = m.signInWays
  const queries = useQueryClient()
  const { open, confirm, sheet } = useSheet()
  const query = useQuery({ queryKey: ['domains'], queryFn: () => api.accountDomains.list({ query: { limit: 100 } }) })
  const changed = () => queries.invalidateQueries({ queryKey: ['domains'] })
  const verify = (domain: Domain) => open(domain.domain, (close) => <VerifyForm domain={domain} done={() => changed().then(close)} />)
  const remove = ({ id }: Domain) =>
    confirm(s.removeDomain, s.removeDomainText, () => api.accountDomains.delete({ params: { id } }).then(changed))
  const add = () => open(s.addDomain, () => <DomainForm done={(domain) => changed().then(() => verify(domain))} />)
  return (
    <section className="panel acard">
      <div className="row">
        <h2 className="t16 bb">{s.domains}</h2>
        <span className="sp" />
        <Button icon="plus" onClick={add}>
          {s.addDomain}
        </Button>
      </div>
      <p className="t13 i2">{s.domainsText}</p>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? null : (
            <Rows
              rows={data}
              spec={{
                title: s.domains,
                id: ({ id }) => id,
                columns: [
                  { head: s.domain, phone: 'main', cell: ({ domain }) => <bdi className="mono b">{domain}</bdi> },
                  {
                    head: s.state,
                    phone: 'below',
                    cell: ({ state }) => <Badge tone={state === 'verified' ? 'ok' : 'wait'}>{s.states[state]}</Badge>,
                  },
                  {
                    head: m.common.actions,
                    end: true,
                    phone: 'end',
                    cell: (domain) => (
                      <Menu
                        label={`${m.common.actions}: ${domain.domain}`}
                        items={[
                          ...(domain.state === 'pending' ? [{ label: s.verify, icon: 'check', act: () => verify(domain) }] : []),
                          { label: s.removeDomain, icon: 'x', danger: true, act: () => remove(domain) },
                        ]}
                      />
                    ),
                  },
                ],
              }}
            />
          )
        }
      </Loaded>
      {sheet}
    </section>
  )
}

function DomainForm({ done }: { readonly done: (domain: Domain) => Promise<unknown> }) {
  const s = m.signInWays
  return (
    <DataForm
      initial={{ domain: '' }}
      fields={[{ name: 'domain', label: s.domain, required: true, autoFocus: true, placeholder: 'example.com' }]}
      send={async ({ domain }) => done(await api.accountDomains.create({ body: { domain } }))}
      label={s.addDomain}
    />
  )
}

function VerifyForm({ domain: { id, record }, done }: { readonly domain: Domain; readonly done: () => Promise<unknown> }) {
  const s = m.signInWays
  return (
    <DataForm
      initial={{}}
      fields={[]}
      before={
        <>
          <p>{s.publish}</p>
          {[record.name, record.type, record.value].map((text) => (
            <p key={text} className="row">
              <bdi className="mono wrap-any grow">{text}</bdi>
              <CopyButton text={text} />
            </p>
          ))}
        </>
      }
      send={async () => {
        await api.accountDomains.verify({ params: { id } })
        await done()
      }}
      label={s.verify}
    />
  )
}
