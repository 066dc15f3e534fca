/** The initials of a person. */
export function Person({ name, large = false }: { readonly name: string; readonly large?: boolean }) {
  const initials = name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((part) => part.charAt(0).toUpperCase())
    .join('')
  return (
    <span className={large ? 'person lg' : 'person'} aria-hidden="true">
      {initials}
    </span>
  )
}
