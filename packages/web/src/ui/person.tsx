/** The initials of a person, as a picture: they are no text of a button that shows them. */
export function Person({ name, large = false }: { readonly name: string; readonly large?: boolean }) {
  const initials = name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((part) => part.charAt(0).toUpperCase())
    .join('')
  return <span className={large ? 'person lg' : 'person'} data-initials={initials} aria-hidden="true" />
}
