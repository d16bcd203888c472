import { Component, type ErrorInfo, type ReactNode } from 'react'

interface PageBoundaryProps {
  readonly children: ReactNode
  /** Another page gets another try. */
  readonly place: string
  readonly fallback: (error: Error) => ReactNode
}

interface PageBoundaryState {
  readonly error: Error | null
  readonly place: string
}

/** Keeps the frame alive when a page breaks; React has classes alone for this. */
export class PageBoundary extends Component<PageBoundaryProps, PageBoundaryState> {
  override state: PageBoundaryState = { error: null, place: this.props.place }

  static getDerivedStateFromError(error: Error): Partial<PageBoundaryState> {
    return { error }
  }

  static getDerivedStateFromProps({ place }: PageBoundaryProps, state: PageBoundaryState): PageBoundaryState | null {
    return place === state.place ? null : { error: null, place }
  }

  override componentDidCatch(error: Error, { componentStack }: ErrorInfo): void {
    reportError(new Error(`a page broke${componentStack ?? ''}`, { cause: error }))
  }

  override render(): ReactNode {
    return this.state.error === null ? this.props.children : this.props.fallback(this.state.error)
  }
}
