/** The product's name, set at build time. Its default is in vite.config.ts. */
export const appName = import.meta.env.VITE_APP_NAME
