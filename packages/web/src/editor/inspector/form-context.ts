import type { Json } from '@millrace/dsl'
import { type ComponentType, createContext, type RefObject, useContext } from 'react'
import type { Rename } from '#src/document/renames.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import type { FieldModel } from '#src/editor/inspector/field-model.ts'
import type { Inserted, Typed } from '#src/editor/inspector/picking/typed.ts'
import type { Lens, LensRequest } from '#src/rehearse/lens.ts'

/** A field that values can be picked into. */
export interface ActiveField {
  readonly pointer: string
  /** Whether the field is an expression as a whole, or a text that may contain one. */
  readonly expression: boolean
  readonly number: boolean
  readonly yaml: boolean
  /** What is called: picked values must not lead elsewhere. */
  readonly address: 'address' | 'path' | undefined
  readonly node: RefObject<HTMLElement | null>
  /** Replaces the text by what is made of it and its caret. */
  readonly rewrite: (insert: (typed: Typed) => Inserted) => void
}

export interface TaskLens {
  readonly task: string
  readonly ask: (request: LensRequest) => Promise<Lens | undefined>
}

/** What the fields of a form need: the document, its findings, and the ways to change it. */
export interface FormActions {
  readonly json: Json
  /**
   * A function makes the value of the one that is there when the changes before are done. What is typed into a member that the change renames
   * follows it.
   */
  readonly set: (pointer: string, value: Json | ((now: Json | undefined) => Json), renamed?: Rename) => void
  readonly unset: (pointer: string) => void
  /** What is wrong with the value at a pointer. */
  readonly findings: (pointer: string) => readonly Finding[]
  /** The control of a value, for fields that contain others. */
  readonly Control: ComponentType<{ readonly field: FieldModel; readonly label: string }>
  readonly onActive: (field: ActiveField) => void
  /** Computes the expressions of the task on the values of the rehearsal; another one after each rehearsal. */
  readonly lens: TaskLens | undefined
}

const context = createContext<FormActions | undefined>(undefined)

export const FormProvider = context.Provider

export function useForm(): FormActions {
  const actions = useContext(context)
  if (actions === undefined) throw new Error('a field without a form')
  return actions
}
