import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Icon } from '#src/ui/icon.tsx'

export type Look = 'primary' | 'quiet' | 'danger' | 'plain'
type Size = 'sm' | 'md' | 'lg'

export interface ButtonLook {
  readonly look?: Look | undefined
  readonly size?: Size
  readonly icon?: string | undefined
  readonly children?: ReactNode
}

interface ButtonProps extends ButtonLook, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  readonly busy?: boolean
}

/** The classes of a button. */
export const classOf = ({ look = 'plain', size = 'md' }: ButtonLook, more = '') =>
  ['btn', look === 'plain' ? '' : look, size === 'md' ? '' : size, more].filter((part) => part !== '').join(' ')

/** A button; while `busy` it keeps its width and cannot be pressed again. */
export function Button({ look, size, icon, busy = false, children, className = '', disabled, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={classOf({ look, size: size ?? 'md' }, className)}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A button with an icon alone; `label` is its name and its tooltip. */
export function IconButton({
  icon,
  label,
  look = 'quiet',
  size = 'md',
  ...rest
}: ButtonProps & { readonly icon: string; readonly label: string }) {
  return (
    <Button {...rest} look={look} size={size} className="icon" aria-label={label} title={label}>
      <Icon name={icon} />
    </Button>
  )
}
