import { usersReadUsersOptions } from '@/client/@tanstack/react-query.gen'
import { pageQuery } from '@/lib/paging'

/** One page of users, newest first. Apart from the page, so that a route can ask for the rows while the page's code comes. */
export const usersPageOptions = (page: number) => usersReadUsersOptions({ query: pageQuery(page) })
