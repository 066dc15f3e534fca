import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { MfaPolicy } from '#src/pages/account/mfa-policy.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'
import { toast } from '#src/ui/toast.tsx'

const zones = Intl.supportedValuesOf('timeZone')

/** The settings of the account. */
export function Page() {
  const a = m.account
  const queries = useQueryClient()
  const query = useQuery({ queryKey: ['account'], refetchOnWindowFocus: false, queryFn: () => api.account.settings() })
  return (
    <Shell title={a.title} lede={a.lede}>
      <Loaded query={query}>
        {(settings) => (
          <>
            <section className="section">
              <DataForm
                key={settings.revision}
                initial={{
                  name: settings.name,
                  locale: settings.locale ?? '',
                  timeZone: settings.timeZone ?? '',
                  retentionDays: settings.retentionDays ?? '',
                  publishers: settings.publishers,
                }}
                fields={[
                  { name: 'name', label: a.name, required: true },
                  {
                    name: 'locale',
                    label: a.locale,
                    kind: 'select',
                    hint: a.localeHint,
                    options: [
                      ['', a.installation],
                      ['en', 'English'],
                      ['ar', 'العربية'],
                      ...(settings.locale === null || ['en', 'ar'].includes(settings.locale)
                        ? []
                        : [[settings.locale, settings.locale] as const]),
                    ],
                  },
                  {
                    name: 'timeZone',
                    label: a.timeZone,
                    kind: 'select',
                    options: [['', 'UTC'], ...zones.map((zone) => [zone, zone] as const)],
                  },
                  { name: 'retentionDays', label: a.retention, kind: 'number', hint: a.retentionHint },
                  {
                    name: 'publishers',
                    label: a.publishers,
                    kind: 'select',
                    hint: a.publishersHint,
                    options: [
                      ['members', a.publishersMembers],
                      ['admins', a.publishersAdmins],
                    ],
                  },
                ]}
                send={async ({ name, locale, timeZone, retentionDays, publishers }) => {
                  const days = String(retentionDays).trim()
                  const body = {
                    name,
                    locale: locale === '' ? null : locale,
                    timeZone: timeZone === '' ? null : timeZone,
                    retentionDays: days === '' ? null : Number(days),
                    publishers,
                  }
                  queries.setQueryData(['account'], await api.account.update({ body }, { ifMatch: settings.revision }))
                  toast(m.common.saved)
                }}
                label={m.common.save}
              />
            </section>
            <MfaPolicy required={settings.requiresMfa} changed={() => queries.invalidateQueries({ queryKey: ['account'] })} />
          </>
        )}
      </Loaded>
    </Shell>
  )
}
