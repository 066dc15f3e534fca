import { Link } from '@tanstack/react-router'
import { type ButtonLook, classOf } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'

/** A link that looks like a button. */
export function ButtonLink({ to, look, size, icon, children }: ButtonLook & { readonly to: string }) {
  return (
    <Link to={to} className={classOf({ look, size: size ?? 'md' })}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </Link>
  )
}
