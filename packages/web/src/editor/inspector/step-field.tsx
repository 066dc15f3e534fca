import type { ReactNode } from 'react'
import { FieldFindings } from '#src/editor/inspector/field-findings.tsx'

interface StepFieldProps {
  readonly name: string
  readonly label: string
  readonly pointer: string
  readonly required?: boolean
  /** At the end of the line of the label. */
  readonly actions?: ReactNode
  readonly hint?: string | undefined
  readonly children: ReactNode
}

/** A value of a step with its name above, and below it what it means and what is wrong with it. */
export function StepField({ name, label, pointer, required = false, actions, hint, children }: StepFieldProps) {
  return (
    <div className="field step-field" data-field={name}>
      <div className="row">
        <span className="lbl">
          {label}
          {required && <span className="c-bad"> *</span>}
        </span>
        <span className="sp" />
        {actions}
      </div>
      {children}
      {hint !== undefined && (
        <p className="t12 i3" dir="auto">
          {hint}
        </p>
      )}
      <FieldFindings pointer={pointer} />
    </div>
  )
}
