import type { groups, Reply } from '@millrace/contract'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { boot } from '#src/boot.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { FieldProblems } from '#src/forms/use-form.ts'
import { packWords as arabic } from '#src/messages/ar/pack.ts'
import { packWords as english } from '#src/messages/en/pack.ts'
import { period as arabicPeriod } from '#src/messages/ar/period.ts'
import { period as englishPeriod } from '#src/messages/en/period.ts'
import { m } from '#src/messages/messages.ts'
import { PackFile, type Selection } from '#src/pages/trust/pack-file.tsx'
import { daysOfPeriod, packPeriods, problemsOf } from '#src/pages/trust/pack-days.ts'
import { inPeriod } from '#src/patterns/period.ts'
import { ownZone } from '#src/session/own-zone.ts'
import { Button } from '#src/ui/button.tsx'
import { exactTime, number } from '#src/values/format.ts'

const words = boot.locale === 'ar' ? arabic : english
const periodWords = boot.locale === 'ar' ? arabicPeriod : englishPeriod
const empty = { period: '', from: '', to: '', executions: '' }

type Counted = Reply<(typeof groups)['archivist']['packSelection']>

/** Asks for an evidence pack, says before it is made if it would be empty, shows how far it is, and offers the file. */
export function PackForm() {
  const [values, setValues] = useState(empty)
  const [counted, setCounted] = useState<{ readonly selection: Selection; readonly found: Counted }>()
  const [selection, setSelection] = useState<Selection>()
  if (selection !== undefined) return <PackFile selection={selection} missing={counted?.found.missing ?? []} />
  if (counted !== undefined && selection === undefined)
    return <Nothing found={counted.found} make={() => setSelection(counted.selection)} back={() => setCounted(undefined)} />
  return (
    <DataForm
      initial={values}
      before={<p className="i2">{words.text}</p>}
      fields={[
        {
          name: 'period',
          label: periodWords.label,
          kind: 'select',
          options: [['', words.days], ...packPeriods.map((one) => [one, periodWords.names[one]] as const)],
        },
        { name: 'from', label: words.from, kind: 'day', hint: words.fromHint },
        { name: 'to', label: words.to, kind: 'day', hint: words.toHint(ownZone()) },
        { name: 'executions', label: words.only, kind: 'textarea', rows: 3, hint: words.onlyHint },
      ]}
      derive={(given, changed) =>
        changed === 'period'
          ? { ...given, ...daysOfPeriod(given.period, ownZone()) }
          : { ...given, period: changed === 'executions' ? given.period : '' }
      }
      send={async (given) => {
        const problems = given.executions.trim() === '' ? problemsOf(given, words, ownZone()) : undefined
        if (problems !== undefined) throw new FieldProblems(problems)
        const asked = selectionOf(given)
        const found = await api.archivist.packSelection({ query: asked })
        setValues(given)
        setCounted({ selection: asked, found })
        if (found.executions > 0 && !found.isTooLarge) setSelection(asked)
      }}
      label={m.evidence.makePack}
    />
  )
}

/** The days of the form as times, by the time zone of the person; a day that has not ended ends now. */
function selectionOf({ from, to, executions }: Omit<typeof empty, 'period'>): Selection {
  const ids = executions.split(/[\s,]+/).filter((id) => id !== '')
  if (ids.length > 0) return { executions: ids.join(',') }
  const days = inPeriod({ ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) }, ownZone())
  const now = new Date().toISOString()
  return days['to'] === undefined || days['to'] < now ? days : { ...days, to: now }
}

interface NothingProps {
  readonly found: Counted
  readonly make: () => void
  readonly back: () => void
}

/** Says that a pack would be empty or too large before it is made. */
function Nothing({ found, make, back }: NothingProps) {
  const { from, to, executions, isTooLarge } = found
  return (
    <div className="form" role="alert">
      {isTooLarge ? (
        <p className="b">{words.tooLarge(number(executions))}</p>
      ) : (
        <>
          <h3>{words.nothing}</h3>
          <p>{from === null || to === null ? words.noneNamed : words.noneEnded(exactTime(from), exactTime(to))}</p>
          <p className="i2">{words.nothingText}</p>
        </>
      )}
      <div className="row wrap">
        <Button look="primary" onClick={back}>
          {words.others}
        </Button>
        {!isTooLarge && <Button onClick={make}>{words.makeEmpty}</Button>}
      </div>
    </div>
  )
}
