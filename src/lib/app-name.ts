/** The product's name, from the build's settings. Its default stands in vite.config.ts. */
export const appName = import.meta.env.VITE_APP_NAME
