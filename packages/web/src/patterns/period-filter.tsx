import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { boot } from '#src/boot.ts'
import { period as arabic } from '#src/messages/ar/period.ts'
import { period as english } from '#src/messages/en/period.ts'
import { daysOf, inPeriod, isDate, lastHour, periods } from '#src/patterns/period.ts'
import { ownZone } from '#src/session/own-zone.ts'

type Search = Readonly<Record<string, string>>

const words = boot.locale === 'ar' ? arabic : english

/** The search of the address in the words of an operation: its days as times, by the time zone of the person. */
export const queryOf = (search: Search): Search => inPeriod(search, ownZone())

/** The days of the address with their name, in words; undefined without a period. */
export function daysInWords(search: Search): readonly [string, string] | undefined {
  if (search['period'] === lastHour) return [words.label, words.names.hour]
  const { first, last } = daysOf(search, ownZone())
  if (first === undefined && last === undefined) return undefined
  const days = first === last ? first : `${first ?? '…'} – ${last ?? '…'}`
  return [words.label, `${days} · ${words.zone(ownZone())}`]
}

interface PeriodFilterProps {
  readonly label?: string
  /** Whether the last hour can be chosen. */
  readonly hours?: boolean
}

/** A period as a filter of a list, in the address: a quick choice, or the first and the last day, which can be shared as a link. */
export function PeriodFilter({ label = words.label, hours = false }: PeriodFilterProps) {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const zone = ownZone()
  const { period, from, to } = search
  const { first, last } = daysOf(search, zone)
  const isCustom = from !== undefined || to !== undefined
  const set = (next: { readonly period?: string; readonly from?: string | undefined; readonly to?: string | undefined }) => {
    const { cursor: _cursor, period: _period, from: _from, to: _to, ...rest } = search
    const given = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== ''))
    void navigate({ to: '.', search: { ...rest, ...given }, replace: true })
  }
  const choose = (value: string) => {
    if (value !== 'custom') return set({ period: value })
    const week = daysOf({ period: 'week' }, zone)
    set({ from: first ?? week.first, to: last ?? week.last })
  }
  return (
    <>
      <label className={`fchip ${first === undefined && last === undefined && period !== lastHour ? '' : 'on'}`}>
        <span className="i3">{label}</span>
        <select value={isCustom ? 'custom' : (period ?? '')} onChange={({ target }) => choose(target.value)}>
          <option value="">{words.any}</option>
          {(hours ? [lastHour, ...periods] : periods).map((name) => (
            <option key={name} value={name}>
              {words.names[name]}
            </option>
          ))}
          <option value="custom">{words.custom}</option>
        </select>
      </label>
      {isCustom && (
        <>
          <DayField label={words.from} name={words.from} value={from ?? ''} set={(day) => set({ from: day, to })} />
          <DayField label={words.toShort} name={words.to} value={to ?? ''} set={(day) => set({ from, to: day })} />
        </>
      )}
      {first !== undefined && last !== undefined && first > last ? (
        <span className="t12 c-bad" role="alert">
          {words.backwards}
        </span>
      ) : (
        (first !== undefined || last !== undefined) && (
          <span className="t12 i3">
            {!isCustom && (
              <>
                <bdi className="num">{first === last ? first : `${first} – ${last}`}</bdi>
                {' · '}
              </>
            )}
            {words.zone(zone)}
          </span>
        )
      )}
    </>
  )
}

interface DayFieldProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly set: (day: string) => void
}

/** A day of the address. While a person types a date it is incomplete, or of a year such as 0002: the address gets it when it is whole. */
function DayField({ label, name, value, set }: DayFieldProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  return (
    <label className="fchip on">
      <span className="i3" aria-hidden="true">
        {label}
      </span>
      <input
        type="date"
        aria-label={name}
        min="2000-01-01"
        max="2199-12-31"
        value={text.slice(0, 10)}
        onChange={({ target }) => {
          setText(target.value)
          if (isDate(target.value) && target.value >= target.min && target.value !== value) set(target.value)
        }}
        onBlur={({ target }) => {
          if (target.value === '' && value !== '') set('')
        }}
      />
    </label>
  )
}
