interface ImportMetaEnv {
  /** Origin of the API; empty: the origin that serves the SPA. */
  readonly VITE_API_URL?: string
  /** The product's name: logo, titles. */
  readonly VITE_APP_NAME: string
}
