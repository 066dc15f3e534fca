import { Link } from '@tanstack/react-router'
import { useUnreadCount } from '#src/app/counts.ts'
import { isAt, notificationsPage } from '#src/app/nav.ts'
import { m } from '#src/messages/messages.ts'
import { Icon } from '#src/ui/icon.tsx'

/** The way to the notifications, with the number of unread ones. */
export function NotificationsLink({ path }: { readonly path: string }) {
  const page = notificationsPage()
  const count = useUnreadCount()
  if (page === undefined) return null
  const isOn = isAt(page, path)
  const shown = count > 99 ? '99+' : String(count)
  const label = count === 0 ? page.label : m.frame.unread(shown)
  return (
    <Link
      to={page.path}
      className={isOn ? 'btn quiet icon unread on' : 'btn quiet icon unread'}
      aria-label={label}
      title={label}
      aria-current={isOn ? 'page' : undefined}
    >
      <Icon name={page.icon} />
      {count > 0 && <b aria-hidden="true">{shown}</b>}
    </Link>
  )
}
