import { ClientError } from '@millrace/client'
import { type SyntheticEvent, useState } from 'react'

export type Values = Readonly<Record<string, unknown>>

/** What is wrong with the values of a form, by the name of the field. */
export class FieldProblems extends Error {
  readonly problems: Readonly<Record<string, string>>

  constructor(problems: Readonly<Record<string, string>>) {
    super(Object.values(problems).join(' '))
    this.problems = problems
  }
}

export interface FormState<V extends Values> {
  readonly values: V
  readonly busy: boolean
  /** The error of the last attempt that belongs to no field. */
  readonly problem: unknown
  /** Messages by the name of the field. */
  readonly errors: Readonly<Record<string, string>>
  set(name: string, value: unknown): void
  submit(event?: SyntheticEvent): void
}

/** The state of a form: values, the attempt under way, and errors at their fields. */
export function useForm<V extends Values>(
  initial: V,
  send: (values: V) => Promise<unknown>,
  derive?: (values: V, changed: string) => V,
): FormState<V> {
  const [values, setValues] = useState(initial)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const fail = (error: unknown) => {
    const found = fieldErrors(error, values)
    setErrors(found)
    setProblem(Object.keys(found).length === 0 ? error : undefined)
  }
  return {
    values,
    busy,
    problem,
    errors,
    set: (name, value) => {
      setValues((before) => {
        const next = { ...before, [name]: value }
        return derive?.(next, name) ?? next
      })
      // A field with parts has problems such as `lines.0.name`.
      setErrors((before) => Object.fromEntries(Object.entries(before).filter(([field]) => field !== name && !field.startsWith(`${name}.`))))
    },
    submit: (event) => {
      if (event !== undefined && !isOwn(event)) return
      event?.preventDefault()
      if (busy) return
      setBusy(true)
      setErrors({})
      setProblem(undefined)
      send(values)
        .catch(fail)
        .finally(() => setBusy(false))
    },
  }
}

/** Whether a form itself is sent: what a dialog that stands in it sends passes by. */
export function isOwn({ target, currentTarget }: { readonly target: unknown; readonly currentTarget: unknown }): boolean {
  return target === currentTarget
}

/** The parts of a problem that belong to fields of the form. */
function fieldErrors(error: unknown, values: Values): Readonly<Record<string, string>> {
  if (error instanceof FieldProblems) return error.problems
  if (!(error instanceof ClientError)) return {}
  return errorsByField(error.problem.errors ?? [], values)
}

const shownMax = 5

/** What is wrong with each field; what is wrong inside of one is named by its path, such as `lines.0.name`. */
export function errorsByField(
  parts: readonly { readonly pointer: string; readonly detail: string }[],
  values: Values,
): Readonly<Record<string, string>> {
  const found = new Map<string, readonly string[]>()
  for (const { pointer, detail } of parts) {
    const keys = pointer.split('/')
    const at = keys.findIndex((key) => key in values)
    const name = keys[at]
    if (name === undefined) continue
    const inside = keys.slice(at + 1).join('.')
    found.set(name, [...(found.get(name) ?? []), inside === '' ? detail : `${inside}: ${detail}`])
  }
  return Object.fromEntries(Array.from(found, ([name, details]) => [name, details.slice(0, shownMax).join(' ')]))
}
