import type { groups, Reply } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { boot } from '#src/boot.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { personWords as arabic } from '#src/messages/ar/persons.ts'
import { personWords as english } from '#src/messages/en/persons.ts'
import { ErasureForm } from '#src/pages/trust/erasure-form.tsx'
import { Receipt } from '#src/pages/trust/erasure-receipt.tsx'
import { FoundRecords } from '#src/pages/trust/found-records.tsx'
import { PersonReports } from '#src/pages/trust/person-reports.tsx'
import { linesOf } from '#src/pages/trust/lines-of.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'

const words = boot.locale === 'ar' ? arabic : english

interface Search {
  readonly values: readonly string[]
  readonly found: Reply<(typeof groups)['persons']['find']>
}

/** The data of a person: where it is, a report to hand over, and its erasure. */
export function Persons() {
  const queries = useQueryClient()
  const { open, sheet } = useSheet()
  const [search, setSearch] = useState<Search>()
  const report = (values: readonly string[]) =>
    open(words.report, (close) => (
      <ReportForm
        values={values}
        done={() => {
          close()
          void queries.invalidateQueries({ queryKey: ['person-reports'] })
        }}
      />
    ))
  const erase = (values: readonly string[]) =>
    open(m.erasures.start, () => (
      <ErasureForm
        values={values}
        done={({ id }) => {
          setSearch(undefined)
          void queries.invalidateQueries({ queryKey: ['erasures'] })
          setTimeout(() => open(m.erasures.receipt, () => <Receipt id={id} />))
        }}
      />
    ))
  return (
    <>
      <section className="panel acard">
        <DataForm
          initial={{ values: '' }}
          before={<p className="i2">{words.text}</p>}
          fields={[{ name: 'values', label: words.values, hint: words.valuesHint, kind: 'textarea', rows: 3, required: true }]}
          send={async ({ values: text }) => {
            const values = linesOf(text)
            setSearch({ values, found: await api.persons.find({ body: { values: [...values] } }) })
          }}
          label={words.find}
        />
      </section>
      <div role="status">
        {search !== undefined && (
          <section className="band">
            <FoundRecords found={search.found} />
            <div className="row wrap form-foot">
              <Button look="primary" icon="download" onClick={() => report(search.values)}>
                {words.report}
              </Button>
              <Button look="danger" onClick={() => erase(search.values)}>
                {words.erase}
              </Button>
            </div>
          </section>
        )}
      </div>
      <PersonReports />
      {sheet}
    </>
  )
}

function ReportForm({ values, done }: { readonly values: readonly string[]; readonly done: () => void }) {
  return (
    <DataForm
      initial={{ note: '', locale: boot.locale }}
      before={
        <>
          <ul className="t13">
            {values.map((value) => (
              <li key={value}>
                <bdi>{value}</bdi>
              </li>
            ))}
          </ul>
          <div className="review-first" role="note">
            <h3 className="t14 bb">{words.reviewTitle}</h3>
            <p className="i2">{words.review}</p>
          </div>
        </>
      }
      fields={[
        { name: 'note', label: words.note, hint: words.noteHint },
        {
          name: 'locale',
          label: words.locale,
          kind: 'select',
          options: [
            ['en', words.locales.en],
            ['ar', words.locales.ar],
          ],
        },
      ]}
      send={async ({ note, locale }) => {
        const given = note.trim() === '' ? {} : { note: note.trim() }
        await api.persons.createReport({ body: { values: [...values], locale: locale === 'ar' ? 'ar' : 'en', ...given } })
        done()
      }}
      label={words.make}
    />
  )
}
