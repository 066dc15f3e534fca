type Move = (path: string, replace: boolean) => Promise<void>

let move: Move = async (path) => location.assign(path)

/** Says how the interface moves to another page: by the router, once it is loaded. */
export function moveBy(how: Move): void {
  move = how
}

/** Moves to a page of this installation. For pages that are drawn before the router is loaded. */
export function goTo(path: string, { replace = false }: { readonly replace?: boolean } = {}): Promise<void> {
  return move(path, replace)
}
