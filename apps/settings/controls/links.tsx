import {
  Anchor,
  Badge,
  Button,
  Menu,
  NavLink,
  type AnchorProps,
  type BadgeProps,
  type ButtonProps,
  type MenuItemProps,
  type NavLinkProps,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

/*
 * Mantine components that are TanStack Router links. They accept the props of the router's `Link` (`to`, `params`,
 * `search`), and the compiler checks these props against the routes.
 */
type Props<Own> = Own & Omit<ComponentPropsWithRef<'a'>, keyof Own>;

export const LinkAnchor = createLink((props: Props<AnchorProps>) => <Anchor {...props} />);
export const LinkBadge = createLink((props: Props<BadgeProps>) => (
  <Badge component="a" {...props} />
));
export const LinkButton = createLink((props: Props<ButtonProps>) => (
  <Button component="a" {...props} />
));
export const LinkMenuItem = createLink((props: Props<MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
));
export const LinkNav = createLink((props: Props<NavLinkProps>) => <NavLink {...props} />);
